import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { SignetError } from "../errors.ts";

/**
 * One HTTP request and its response, of either version of HTTP. Its methods do not work on a copy created with `...`.
 */
export interface Exchange {
  /** Unique among all processes; it identifies the request in the log and for the caller. */
  readonly id: string;
  readonly method: string;
  /** The percent-encoded path, and the query without `?`. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client, according to the trusted proxies. */
  readonly address: string;
  /** Whether clients read trailers after a body, as HTTP/2 clients do. */
  readonly hasTrailers: boolean;
  /**
   * Reads the whole body. May be called once.
   *
   * Resolves to SignetError BODY_TOO_LARGE for a larger body. Never settles if the caller disconnects.
   */
  readBody(limits: BodyLimits): Promise<Buffer | SignetError>;
  /** Calls back when the exchange ends: the response was sent, or the caller disconnected. */
  onClose(callback: () => void): void;
  /**
   * Sends the whole response. Does nothing if a response was already sent, or the caller has disconnected. Without a
   * body, trailers are sent among the headers.
   */
  send(status: number, headers: RawHeaders, body?: Uint8Array, trailers?: RawHeaders): void;
  /**
   * The request as a Node callback expects it. After this, `readBody` may not be used, and `send` only if nothing of the
   * response was written.
   */
  toNode(): { request: IncomingMessage; response: ServerResponse };
  /**
   * The error for a caller that is not yet authorized: TOO_MANY_REQUESTS if its address has failed to authenticate too
   * often, UNAVAILABLE while the service is overloaded. Undefined if the request may be served.
   *
   * @param checksCredential Whether the request does nothing unless its credential is valid. If the credential was valid
   *   recently, the request may be served.
   */
  refuseStranger(checksCredential?: boolean): SignetError | undefined;
  /**
   * Counts a failed authentication against the caller's address.
   *
   * @param wasValid Whether the credential was valid recently. The connection then counts against its address again.
   */
  countFailure(wasValid?: boolean): void;
  /** Whether its credential, or that of another request on its connection, was valid recently. */
  isOfCaller(): boolean;
  /**
   * Marks the caller as authorized: the request no longer counts against its address, and the connection gets an account
   * of its own.
   */
  trust(): void;
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** The number of bytes of the body that do not count toward the limit. */
  readonly overheadBytes: number;
  /** Whether the call is over and the rest of the body is to be dropped. */
  readonly isOver: () => boolean;
}

/** Alternating names and values: Node uses them as is, but would iterate over an object several times. */
export type RawHeaders = readonly string[];

/** Serves a request. It must not throw. */
export type Handler = (exchange: Exchange) => void;
