import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Account } from "./account.ts";
import type { Client, Clients } from "./clients.ts";
import type { Connection, OpenRequest } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { BodyLimits, Exchange, RawHeaders } from "./exchange.ts";

/** The client of an admitted request, and its budgets. */
interface AdmittedClient {
  readonly clients: Clients;
  readonly connections: Connections;
  readonly client: Client;
  /** Pays for the request until the caller is authorized. */
  readonly account: Account;
  /** The client's address. Behind a proxy, it differs from the connection's address. */
  readonly address: string;
  readonly isOverloaded: () => boolean;
  readonly isRecognized: (exchange: Pick<Exchange, "headers">) => boolean;
  readonly metrics?: Metrics | undefined;
}

/**
 * The part of an exchange that both HTTP versions share: the request head, and the client's budgets.
 *
 * A class, as in `run-call.ts`, because creating objects with closures for each request took 10 % of the CPU time of a
 * call with an empty handler.
 */
export abstract class BaseExchange implements Exchange, OpenRequest {
  abstract readonly hasTrailers: boolean;
  readonly id = createRequestId();
  readonly connection: Connection;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as sent. */
  readonly rawHeaders: string[];
  sentAt: number | undefined = undefined;
  #admitted: AdmittedClient | undefined = undefined;
  #isStranger = true;
  #onClose: (() => void) | undefined = undefined;

  /** @param target The request target, as sent. */
  constructor(
    connection: Connection,
    method: string,
    target: string,
    headers: IncomingHttpHeaders,
    rawHeaders: string[],
  ) {
    const at = target.indexOf("?");
    this.connection = connection;
    this.method = method;
    this.path = at < 0 ? target : target.slice(0, at);
    this.query = at < 0 ? "" : target.slice(at + 1);
    this.headers = headers;
    this.rawHeaders = rawHeaders;
  }

  abstract readBody(limits: BodyLimits): Promise<Buffer | SignetError>;
  abstract send(status: number, headers: RawHeaders, body?: Uint8Array, trailers?: RawHeaders): void;
  abstract toNode(): { request: IncomingMessage; response: ServerResponse };
  abstract abandon(): void;

  get address(): string {
    return this.#admitted?.address ?? "";
  }

  /** Counts an admitted request as open until the client has its response. */
  open(admitted: AdmittedClient): void {
    this.#admitted = admitted;
    this.connection.requests.add(this);
  }

  onClose(callback: () => void): void {
    const earlier = this.#onClose;
    const both = () => {
      earlier?.();
      callback();
    };
    this.#onClose = earlier === undefined ? callback : both;
  }

  refuseStranger(checksCredential = false): SignetError | undefined {
    if (this.#admitted === undefined) return undefined;
    const { clients, client, isOverloaded, isRecognized, metrics } = this.#admitted;
    const waitMs = clients.failureWaitMs(client, this.#isOfCaller);
    if (waitMs === 0 && !isOverloaded()) return undefined;
    if (checksCredential && isRecognized(this)) return undefined;
    metrics?.budgetExceeded(waitMs > 0 ? "failed_tokens" : "event_loop");
    if (waitMs > 0) return tooManyRequests(waitMs);
    return new SignetError("UNAVAILABLE", "the service is overloaded; try again", { retryAfterMs: 1_000 });
  }

  countFailure(wasValid = false): void {
    if (this.#admitted === undefined) return;
    const { clients, connections, client } = this.#admitted;
    clients.countFailure(client, this.#isOfCaller);
    if (wasValid) connections.distrust(this.connection);
  }

  isOfCaller(): boolean {
    return this.#isOfCaller || this.#admitted?.isRecognized(this) === true;
  }

  trust(): void {
    this.#closeRequest(true);
    this.#admitted?.connections.trust(this.connection);
  }

  /** Whether a caller was authorized on the connection. */
  get #isOfCaller(): boolean {
    return this.connection.account !== undefined;
  }

  /** The client has its response: the request no longer counts as open. */
  protected release(): void {
    this.#closeRequest(false);
  }

  /** The client has its response, or has disconnected. */
  protected close(): void {
    this.connection.requests.delete(this);
    this.#closeRequest(false);
    this.#onClose?.();
  }

  #closeRequest(wasAuthorized: boolean): void {
    if (this.#isStranger) this.#admitted?.clients.closeRequest(this.#admitted.account, wasAuthorized);
    this.#isStranger = false;
  }
}

export function tooManyRequests(retryAfterMs: number): SignetError {
  return new SignetError("TOO_MANY_REQUESTS", "too many requests from this address; try again later", { retryAfterMs });
}

const processId = randomBytes(8).toString("base64url");
let requests = 0;

/**
 * Creates an id for the log and the caller, unique among all processes. An id from the caller could be that of another
 * request.
 */
function createRequestId(): string {
  requests += 1;
  return `${processId}-${requests.toString(36)}`;
}
