import type { Socket } from "node:net";

/** The first bytes of an HTTP/2 client (RFC 9113, section 3.4). */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/**
 * Detects HTTP/2 without TLS by its first bytes, and unshifts them before it calls back. Disconnects a client that
 * closes its side before then.
 */
export function detectProtocol(socket: Socket, onDetected: (protocol: "http1" | "http2") => void): void {
  let bytes = Buffer.alloc(0);
  const leave = () => socket.destroy();
  const read = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) bytes = Buffer.concat([bytes, chunk]);
    const length = Math.min(bytes.length, PREFACE.length);
    const isPreface = bytes.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (isPreface && length < PREFACE.length) return;
    socket.off("readable", read).off("end", leave);
    socket.unshift(bytes);
    onDetected(isPreface ? "http2" : "http1");
  };
  socket.on("readable", read).once("end", leave);
}
