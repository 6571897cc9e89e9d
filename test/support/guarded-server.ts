import {
  createServer as createHttp2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { guardConnection } from "../../src/http/guard/guard-connection.ts";
import type { Http2Budgets } from "../../src/http/guard/http2-budgets.ts";
import { createHttp2Guard, type Http2Fault } from "../../src/http/guard/http2-guard.ts";

export interface GuardedServer {
  readonly port: number;
  readonly faults: Http2Fault[];
  readonly sessions: Set<Http2Session>;
  readonly sockets: Set<Socket>;
  close(): Promise<void>;
}

/**
 * An HTTP/2 server behind the guard. It responds to malformed requests with 400 and the field's name, to
 * `/large/<bytes>` with this many bytes, to gRPC calls with an empty message, and to other requests with the size of
 * their bodies.
 */
export async function startGuardedServer(
  tls?: { readonly cert: Buffer; readonly key: Buffer },
  budgets?: Http2Budgets,
): Promise<GuardedServer> {
  const faults: Http2Fault[] = [];
  const sessions = new Set<Http2Session>();
  const sockets = new Set<Socket>();
  const http2 = createHttp2Server({ settings: { maxConcurrentStreams: 256 } });
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    const guard = createHttp2Guard(budgets);
    const onFault = (fault: Http2Fault) => faults.push(fault);
    http2.once("session", (session) => {
      sessions.add(session);
      session.on("close", () => sessions.delete(session));
      session.on("stream", (stream, headers) => {
        respond(stream, headers, guard.takeBadHeaders(stream.id ?? 0)?.name);
      });
    });
    guardConnection(http2, socket, guard, onFault);
  };
  // As in the service's port, some of the client's data is read before the HTTP/2 server gets the socket.
  const front = tls
    ? createTlsServer({ ...tls, ALPNProtocols: ["h2"] }, serve)
    : createTcpServer((socket) => {
        const fail = () => socket.destroy();
        socket.on("error", fail);
        socket.once("readable", () => {
          socket.off("error", fail);
          const bytes = socket.read();
          if (bytes === null) {
            socket.destroy();
            return;
          }
          socket.unshift(bytes);
          serve(socket);
        });
      });
  front.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  return {
    port: (front.address() as AddressInfo).port,
    faults,
    sessions,
    sockets,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => front.close(() => resolve()));
    },
  };
}

function respond(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, malformed: string | undefined): void {
  stream.on("error", () => {});
  if (malformed !== undefined) {
    stream.respond({ ":status": 400 });
    stream.end(malformed);
    return;
  }
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  stream.on("end", () => {
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    if (headers["content-type"]?.startsWith("application/grpc")) {
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(Buffer.alloc(5));
      return;
    }
    const large = /^\/large\/(\d+)$/.exec(headers[":path"] ?? "");
    stream.respond({ ":status": 200 });
    stream.end(large ? Buffer.alloc(Number(large[1])) : String(bytes));
  });
}
