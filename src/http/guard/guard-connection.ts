import type { Http2Server } from "node:http2";
import type { Socket } from "node:net";
import { goAway } from "./frames.ts";
import type { Http2Fault, Http2Guard } from "./http2-guard.ts";
import { startSession, tapReads } from "./tap.ts";

/**
 * How long a refused connection stays open. Closing it with unread bytes resets it, and the client may lose the GOAWAY
 * frame.
 */
const LINGER_MS = 100;

/**
 * Passes a TCP or TLS connection to an HTTP/2 server behind a guard, which first inspects the bytes that the socket has
 * already read. After a fault, nghttp2 gets no more bytes, `onFault` is called once, the client gets GOAWAY, and the
 * connection is closed shortly after.
 */
export function guardConnection(
  server: Http2Server,
  socket: Socket,
  guard: Http2Guard,
  onFault: (fault: Http2Fault) => void,
): void {
  if (socket.destroyed) return;
  const early = readBuffered(socket);
  const fault = guard.inspect(early);
  if (fault) {
    socket.resume();
    socket.write(goAway(fault.lastStreamId, fault.code, fault.description));
    setTimeout(() => socket.destroy(), LINGER_MS);
    onFault(fault);
    return;
  }
  // Node's HTTP/2 server reads these properties of the socket.
  if (early.length > 0) socket.unshift(early);
  const { session, receive } = startSession(server, socket);
  let isRefused = false;
  tapReads(socket, (bytes) => {
    // Node's C++ code asserts that a session that receives bytes has a stream; a destroyed session has none.
    if (isRefused || session.destroyed) return;
    const found = guard.inspect(bytes);
    if (!found) {
      receive(bytes);
      return;
    }
    isRefused = true;
    setImmediate(() => {
      // Not with `socket.write`: the session would mistake the completion of that write for its own, and abort the
      // process.
      if (!session.destroyed) session.goaway(found.code, found.lastStreamId, Buffer.from(found.description));
      setTimeout(() => socket.destroy(), LINGER_MS);
      onFault(found);
    });
  });
}

function readBuffered(socket: Socket): Buffer {
  const chunks: Buffer[] = [];
  for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
