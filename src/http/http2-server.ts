import type { IncomingHttpHeaders } from "node:http";
import { constants, createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { invalidArgument, type SignetError } from "../errors.ts";
import type { Budgets } from "./budgets.ts";
import type { Connection, OpenRequest } from "./connections.ts";
import { guardConnection } from "./guard/guard-connection.ts";
import { DEFAULT_HTTP2_BUDGETS } from "./guard/http2-budgets.ts";
import { type BadHeaders, createHttp2Guard, type Http2Fault, type Http2Guard } from "./guard/http2-guard.ts";
import { checkTap } from "./guard/tap.ts";
import { createHttp2Transport, isGone, type Transport } from "./http2-exchange.ts";
import { headersTooLarge } from "./request-head.ts";

/** A request whose head has arrived. */
export interface ReceivedRequest {
  readonly connection: Connection;
  readonly transport: Transport;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly openRequest: OpenRequest;
  /** What is already known to be wrong with it. */
  readonly problem: SignetError | undefined;
}

export interface Http2Server {
  /** Serves HTTP/2 on a connection, whose first bytes may have been put back. */
  accept(connection: Connection): void;
}

/**
 * HTTP/2, of either a TCP or a TLS socket.
 *
 * Streams are handed over together, when the event loop has read what there is to read: one that its client has reset
 * by then costs nothing more.
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
  readonly onRequest: (request: ReceivedRequest) => void;
  /** Called when the guard has closed a connection. */
  readonly onFlood: (connection: Connection, fault: Http2Fault) => void;
  readonly onFault: (fault: Error) => void;
}): Http2Server {
  const isGuarded = canGuard(onFault);
  let accepting: Connection | undefined;
  let received: (() => void)[] = [];

  const server = createServer({
    settings: { maxConcurrentStreams: 256, maxHeaderListSize: budgets.headerBytes },
    maxSessionMemory: 16,
    maxSessionInvalidFrames: 100,
    // Otherwise Node silently drops a header with white space around its value, and a call would run in the caller's own
    // organization though it named another one.
    strictFieldWhitespaceValidation: false,
    maxSessionRejectedStreams: 100,
    // The guard has stricter limits; beyond these Node would reset a stream that the guard lets us answer.
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
      // A stream that breaks emits `close` too; without a listener the error would end the process.
      stream.on("error", onFault);
      if (connection.isPunished) return;
      const badHeaders = connection.guard?.takeBadHeaders(stream.id ?? 0);
      if (received.length === 0) setImmediate(handOver);
      received.push(() => receive(connection, stream, headers, rawHeaders, badHeaders));
    });
  });

  function handOver(): void {
    const streams = received;
    received = [];
    for (const receiveOne of streams) receiveOne();
  }

  function receive(
    connection: Connection,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: string[],
    badHeaders: BadHeaders | undefined,
  ): void {
    if (isGone(stream) || connection.isPunished) return;
    if (headers.expect === "100-continue") stream.additionalHeaders({ ":status": 100 });
    const openRequest: OpenRequest = {
      sentAt: undefined,
      abandon: () => setImmediate(() => stream.close(constants.NGHTTP2_CANCEL)),
    };
    onRequest({
      connection,
      transport: createHttp2Transport(stream, headers, rawHeaders, () => {
        openRequest.sentAt = performance.now();
      }),
      // RFC 9113, section 8.5: a CONNECT request has no path.
      target: headers[":path"] === undefined ? "" : String(headers[":path"]),
      rawHeaders,
      openRequest,
      problem: badHeaders && toProblem(badHeaders),
    });
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

  /** RFC 9113, section 8.2.1: a request with a malformed field is malformed. nghttp2 would leave the field out. */
  function toProblem({ kind, name }: BadHeaders): SignetError {
    if (kind === "too large") return headersTooLarge(budgets);
    const field = /^[\x21-\x7e]{1,64}$/.test(name) ? name : "";
    return invalidArgument({ field, description: "the header holds a character that HTTP does not allow" });
  }
}

/** The guard uses parts of Node that are not documented. On a Node without them HTTP/2 is served unguarded. */
function canGuard(onFault: (fault: Error) => void): boolean {
  try {
    checkTap();
    return true;
  } catch (cause) {
    onFault(new Error("HTTP/2 frames are not guarded on this version of Node", { cause }));
    return false;
  }
}
