import type { IncomingHttpHeaders } from "node:http";
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { SignetError } from "../errors.ts";
import type { BaseExchange } from "./base-exchange.ts";
import type { Budgets } from "./budgets.ts";
import type { Connection } from "./connection.ts";
import { Http2Exchange, isGone } from "./http2-exchange.ts";

/**
 * Called with a request once its head has arrived.
 *
 * @param problem The error of a request with an invalid head.
 */
export type OnRequest = (exchange: BaseExchange, problem?: SignetError) => void;

/** A stream that waits to be dispatched. */
interface ReceivedStream {
  readonly connection: Connection;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
}

interface Http2Server {
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
  onRequest,
  onCanceled,
  onFault,
}: {
  readonly budgets: Budgets;
  readonly onRequest: OnRequest;
  /** Called instead of `onRequest` for a stream that its client has reset before it was dispatched. */
  readonly onCanceled: (connection: Connection, headers: IncomingHttpHeaders) => void;
  readonly onFault: (fault: Error) => void;
}): Http2Server {
  let accepting: Connection | undefined;
  let received: ReceivedStream[] = [];

  // nghttp2 also ends connections with too many CONTINUATION frames, invalid frames, or acknowledgments that the client
  // does not read.
  const server = createServer({
    // Node resets a stream whose headers are over these limits. Below them, the service responds with an error.
    settings: { maxConcurrentStreams: budgets.streams, maxHeaderListSize: 2 * budgets.headerBytes },
    maxHeaderListPairs: 2 * budgets.headerFields,
    maxSessionMemory: 16,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    // CVE-2023-44487. All 256 calls of a caller may time out every second, for which the default rate of 33 is too small.
    // With the default burst of 1,000, a connection of an attacker took 20 ms instead of 10. For strangers, `onCanceled`
    // counts them too.
    streamResetBurst: 300,
    streamResetRate: 300,
    // Otherwise, Node silently drops a header with white space around its value, and a call for another organization
    // would run in the caller's own.
    strictFieldWhitespaceValidation: false,
  });
  server.on("error", onFault);
  server.on("sessionError", onFault);
  server.on("session", (session: ServerHttp2Session) => {
    const connection = accepting;
    if (connection === undefined) throw new Error("a session without a connection");
    connection.session = session;
    const { client, overBudget } = connection;
    connection.isCrowded =
      overBudget !== undefined || (client !== undefined && client.connections > budgets.crowdedConnections);
    if (connection.isCrowded) session.settings({ maxConcurrentStreams: budgets.streamsWhenCrowded });
    session.on("stream", (stream, headers, _flags, rawHeaders) => {
      // A broken stream also emits `close`. Without a listener, the error would crash the process.
      stream.on("error", onFault);
      connection.streams += 1;
      if (connection.isClosing) {
        // Never from within a callback of nghttp2.
        setImmediate(() => connection.socket.destroy());
        return;
      }
      if (received.length === 0) setImmediate(dispatch);
      received.push({ connection, stream, headers, rawHeaders });
    });
  });

  function dispatch(): void {
    const streams = received;
    received = [];
    for (const { connection, stream, headers, rawHeaders } of streams) {
      if (connection.isClosing) continue;
      if (isGone(stream)) {
        onCanceled(connection, headers);
        continue;
      }
      if (headers.expect === "100-continue") stream.additionalHeaders({ ":status": 100 });
      onRequest(new Http2Exchange(connection, stream, headers, rawHeaders));
    }
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
