import type { Http2Server } from "node:http2";
import type { Socket } from "node:net";
import { createGuardedSocket, refuseConnection } from "./guarded-socket.ts";
import type { Http2Fault, Http2Guard } from "./http2-guard.ts";
import { canTap, startSession, tapReads } from "./tap.ts";

/**
 * Gives a connection (TCP or TLS) to an HTTP/2 server, behind a guard. After a fault nghttp2 gets nothing more, `onFault`
 * is called once, and the connection is refused. What the socket has read already is inspected first.
 */
export function guardConnection(
  server: Http2Server,
  socket: Socket,
  guard: Http2Guard,
  onFault: (fault: Http2Fault) => void,
): void {
  if (socket.destroyed) return;
  if (!canTap(socket)) {
    server.emit("connection", createGuardedSocket(socket, guard, onFault));
    return;
  }
  let isRefused = false;
  const refuse = (fault: Http2Fault) => {
    isRefused = true;
    // Not within the callback of a parser, which must not be closed there.
    setImmediate(() => {
      refuseConnection(socket, fault);
      onFault(fault);
    });
  };
  const early = readBuffered(socket);
  const fault = guard.inspect(early);
  if (fault) {
    socket.resume();
    refuse(fault);
    return;
  }
  // Node's HTTP/2 server takes these from the socket.
  if (early.length > 0) socket.unshift(early);
  const { session, receive } = startSession(server, socket);
  tapReads(socket, (bytes) => {
    // A session that was destroyed has no stream, which Node's C++ code asserts.
    if (isRefused || session.destroyed) return;
    const found = guard.inspect(bytes);
    if (found) refuse(found);
    else receive(bytes);
  });
}

function readBuffered(socket: Socket): Buffer {
  const chunks: Buffer[] = [];
  for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
