import type { IncomingHttpHeaders } from "node:http";
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { invalidArgument, type SignetError } from "../errors.ts";
import type { BaseExchange } from "./base-exchange.ts";
import type { Budgets } from "./budgets.ts";
import type { Connection } from "./connections.ts";
import { guardConnection } from "./guard/guard-connection.ts";
import { DEFAULT_HTTP2_BUDGETS } from "./guard/http2-budgets.ts";
import { type BadHeaders, createHttp2Guard, type Http2Fault, type Http2Guard } from "./guard/http2-guard.ts";
import { checkTap } from "./guard/tap.ts";
import { Http2Exchange, isGone } from "./http2-exchange.ts";
import { headersTooLarge } from "./request-head.ts";

/**
 * Called with a request once its head has arrived.
 *
 * @param problem The error of a request with an invalid head.
 */
export type OnRequest = (exchange: BaseExchange, problem: SignetError | undefined) => void;

/** A stream that waits to be dispatched. */
interface ReceivedStream {
  readonly connection: Connection;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly badHeaders: BadHeaders | undefined;
}

export interface Http2Server {
  /** Serves HTTP/2 on a connection whose first bytes may have been unshifted. */
  accept(connection: Connection): void;
}

/**
 * HTTP/2 over a TCP or TLS socket.
 *
 * Streams are dispatched together, after the event loop has read all available data. A stream that the client has reset
 * by then causes no more work.
 */
export function createHttp2Server({
  budgets,
  mayOpenStream,
  onRequest,
  onFlood,
  onFault,
}: {
  readonly budgets: Budgets;
  /** Whether the client of a connection may send one more request. */
  readonly mayOpenStream: (connection: Connection) => boolean;
  readonly onRequest: OnRequest;
  /** Called after the guard closes a connection. */
  readonly onFlood: (connection: Connection, fault: Http2Fault) => void;
  readonly onFault: (fault: Error) => void;
}): Http2Server {
  const isGuarded = canGuard(onFault);
  let accepting: Connection | undefined;
  let received: ReceivedStream[] = [];

  const server = createServer({
    settings: { maxConcurrentStreams: 256, maxHeaderListSize: budgets.headerBytes },
    maxSessionMemory: 16,
    maxSessionInvalidFrames: 100,
    // Otherwise, Node silently drops a header with white space around its value, and a call for another organization
    // would run in the caller's own.
    strictFieldWhitespaceValidation: false,
    maxSessionRejectedStreams: 100,
    // The guard has stricter limits. At its own limits, Node would reset streams to which the service can still
    // respond.
    maxHeaderListPairs: 4 * budgets.headerFields,
    streamResetBurst: 10_000,
    streamResetRate: 10_000,
  } as never);
  server.on("error", onFault);
  server.on("sessionError", onFault);
  server.on("session", (session: ServerHttp2Session) => {
    const connection = accepting;
    if (connection === undefined) throw new Error("a session without a connection");
    connection.session = session;
    session.on("stream", (stream, headers, _flags, rawHeaders) => {
      // A broken stream also emits `close`. Without a listener, the error would crash the process.
      stream.on("error", onFault);
      if (connection.isPunished) return;
      const badHeaders = connection.guard?.takeBadHeaders(stream.id ?? 0);
      if (received.length === 0) setImmediate(handOver);
      received.push({ connection, stream, headers, rawHeaders, badHeaders });
    });
  });

  function handOver(): void {
    const streams = received;
    received = [];
    for (const stream of streams) receive(stream);
  }

  function receive({ connection, stream, headers, rawHeaders, badHeaders }: ReceivedStream): void {
    if (isGone(stream) || connection.isPunished) return;
    if (headers.expect === "100-continue") stream.additionalHeaders({ ":status": 100 });
    onRequest(new Http2Exchange(connection, stream, headers, rawHeaders), badHeaders && toProblem(badHeaders));
  }

  return {
    accept(connection) {
      connection.protocol = "http2";
      accepting = connection;
      if (isGuarded)
        guardConnection(server, connection.socket, connectGuard(connection), (fault) => onFlood(connection, fault));
      else server.emit("connection", connection.socket);
      accepting = undefined;
    },
  };

  function connectGuard(connection: Connection): Http2Guard {
    const { headerBytes: listBytes, headerFields: fields } = budgets;
    connection.guard = createHttp2Guard({ ...DEFAULT_HTTP2_BUDGETS, listBytes, fields }, undefined, () =>
      mayOpenStream(connection),
    );
    return connection.guard;
  }

  /** RFC 9113, section 8.2.1: a request with a malformed field is malformed. nghttp2 would drop the field. */
  function toProblem({ kind, name }: BadHeaders): SignetError {
    if (kind === "too large") return headersTooLarge(budgets);
    const field = /^[\x21-\x7e]{1,64}$/.test(name) ? name : "";
    return invalidArgument({ field, description: "the header contains a character that HTTP does not allow" });
  }
}

/** The guard uses undocumented parts of Node. Without them, HTTP/2 is served without the guard. */
function canGuard(onFault: (fault: Error) => void): boolean {
  try {
    checkTap();
    return true;
  } catch (cause) {
    onFault(new Error("HTTP/2 frames are not guarded on this version of Node", { cause }));
    return false;
  }
}
