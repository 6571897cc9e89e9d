import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { SignetError } from "../errors.ts";

/** One HTTP request and its answer, of either version of HTTP. Its methods work on it alone, not on a copy by `...`. */
export interface Exchange {
  /** Unique among all processes; the log and the caller know the request by it. */
  readonly id: string;
  readonly method: string;
  /** The path, still percent-encoded, and the query behind it, without `?`. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client, as far as the trusted proxies vouch for it. */
  readonly address: string;
  /** Whether clients read trailers behind a body: those of HTTP/2 do. */
  readonly hasTrailers: boolean;
  /**
   * Reads the whole body. It may be called once.
   *
   * Resolves to SignetError BODY_TOO_LARGE where there is more, and never settles when the caller goes away.
   */
  readBody(limits: BodyLimits): Promise<Buffer | SignetError>;
  /** Calls back when the exchange ends: the answer was sent, or the caller has gone away before. */
  onClose(callback: () => void): void;
  /**
   * Sends the answer whole; does nothing where one was sent, or the caller has gone. Without a body the trailers, if
   * there are any, are sent among the headers.
   */
  send(status: number, headers: RawHeaders, body?: Uint8Array, trailers?: RawHeaders): void;
  /** The request as Node's own handlers take it. Neither `readBody` nor `send` may be used then. */
  toNode(): { request: IncomingMessage; response: ServerResponse };
  /**
   * The error for a caller that is not known to be authorized: TOO_MANY_REQUESTS if its address has failed to authenticate
   * too often, UNAVAILABLE while the service is overloaded. Undefined if the request may be served.
   */
  refuseStranger(): SignetError | undefined;
  /** The caller could not be authenticated: counts against its address. */
  countFailure(): void;
  /** The caller is authorized: its request no longer counts against its address. */
  trust(): void;
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** How many bytes of the body are not counted. */
  readonly overheadBytes: number;
  /** Whether the call is over, so that the rest of the body is dropped. */
  readonly isOver: () => boolean;
}

/** Names and values in turn: Node takes them as they are, where it would walk an object several times. */
export type RawHeaders = readonly string[];

/** Answers a request. It must not throw. */
export type Handler = (exchange: Exchange) => void;
