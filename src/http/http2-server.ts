import type { IncomingHttpHeaders } from "node:http";
import { constants, createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { SignetError } from "../errors.ts";
import type { Budgets } from "./budgets.ts";
import type { Connection, OpenRequest } from "./connections.ts";
import { createHttp2Transport, isGone, type Transport } from "./http2-exchange.ts";

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
  onRequest,
  onFault,
}: {
  readonly budgets: Budgets;
  readonly onRequest: (request: ReceivedRequest) => void;
  readonly onFault: (fault: Error) => void;
}): Http2Server {
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
    // One more than allowed, so that a list of any length is answered rather than reset.
    maxHeaderListPairs: 2 * budgets.headerFields,
    // CVE-2023-44487: a connection that resets more streams than this is closed (burst, then per second).
    streamResetBurst: 1_000,
    streamResetRate: 33,
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
      if (received.length === 0) setImmediate(handOver);
      received.push(() => receive(connection, stream, headers, rawHeaders));
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
      problem: undefined,
    });
  }

  return {
    accept(connection) {
      connection.protocol = "http2";
      accepting = connection;
      server.emit("connection", connection.socket);
      accepting = undefined;
    },
  };
}
