import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { Account } from "./account.ts";
import type { Client, Refusal } from "./clients.ts";

/** A TCP connection with its open requests. */
export interface Connection {
  readonly remoteAddress: string;
  /** Undefined for a trusted proxy, which has no budget. */
  readonly client: Client | undefined;
  /** Pays for its requests once a caller was authorized on it. Until then, its client's account does. */
  account: Account | undefined;
  /**
   * The budget of its client that it is over. Until a caller is authorized on it, only requests with a recognized
   * credential are served.
   */
  overBudget: Refusal | undefined;
  readonly openedAt: number;
  /** Undefined until the first bytes, or the TLS handshake, have been read. */
  protocol: "http1" | "http2" | undefined;
  /** The socket that carries HTTP: the TCP socket, or the TLS socket that wraps it. */
  socket: Socket;
  session: ServerHttp2Session | undefined;
  /** The number of HTTP/2 streams that its client has opened and that were counted. */
  streams: number;
  /** The number of streams that its client may open at a time is limited to `streamsWhenCrowded`. */
  isCrowded: boolean;
  /** The number of HTTP/2 streams that stay open after their response. */
  heldStreams: number;
  /** Is about to be closed for a budget; further requests are dropped. */
  isClosing: boolean;
  /** Requests whose responses the client has not fully received. */
  readonly requests: Set<OpenRequest>;
  /** Bytes read and written at `activeAt`, when they last changed. */
  bytes: number;
  activeAt: number;
}

/** A request whose response the client has not fully received. Times are in milliseconds of `performance.now`. */
export interface OpenRequest {
  /** When the response was sent; undefined until then. */
  sentAt: number | undefined;
  /** Aborts the request: the client does not receive the response. */
  abandon(): void;
}

export function createConnection(
  socket: Socket,
  given: Pick<Connection, "remoteAddress" | "client" | "overBudget">,
): Connection {
  const now = performance.now();
  return {
    ...given,
    account: undefined,
    openedAt: now,
    protocol: undefined,
    socket,
    session: undefined,
    streams: 0,
    isCrowded: false,
    heldStreams: 0,
    isClosing: false,
    requests: new Set(),
    bytes: 0,
    activeAt: now,
  };
}

/** Whether the connection has transferred data since the last call. */
export function wasActive(connection: Connection, now: number): boolean {
  const { socket } = connection;
  const bytes = socket.bytesRead + socket.bytesWritten;
  if (bytes === connection.bytes) return false;
  connection.bytes = bytes;
  connection.activeAt = now;
  return true;
}

/**
 * Counts the streams that Node has reset since the last call. It resets streams with too large or invalid headers
 * without an event, but reading them took time.
 */
export function takeRejectedStreams(connection: Connection): number {
  const { session } = connection;
  if (session === undefined || session.destroyed) return 0;
  // RFC 9113, section 5.1.1: clients use odd identifiers.
  const opened = Math.ceil((session.state.lastProcStreamID ?? 0) / 2);
  const rejected = opened - connection.streams;
  if (rejected <= 0) return 0;
  connection.streams = opened;
  return rejected;
}

/** Closes the connection; over HTTP/2, with GOAWAY. */
export function closeConnection(connection: Connection): void {
  const { socket, session } = connection;
  connection.isClosing = true;
  if (session === undefined) socket.destroySoon();
  // Never from within a callback of nghttp2, where it can loop forever (nodejs/node 52952 describes a similar case).
  else setImmediate(() => session.destroy(budgetExceeded(), ENHANCE_YOUR_CALM));
}

/** The code of the error that the streams of such a connection end with. */
export const BUDGET_EXCEEDED = "ERR_BUDGET_EXCEEDED";

function budgetExceeded(): Error {
  return Object.assign(new Error("a budget was exceeded"), { code: BUDGET_EXCEEDED });
}

/** RFC 9113, section 7. */
const ENHANCE_YOUR_CALM = 0xb;
