import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { Connection } from "./connection.ts";

/** PEM files. */
export interface PortCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

interface Listener {
  /** See `Port`. */
  listen(port: number, host: string): Promise<{ port: number }>;
  replaceCertificate(certificate: PortCertificate): void;
  /** Stops accepting connections, and resolves when all are closed. */
  close(): Promise<void>;
}

/**
 * Accepts TCP connections, and detects the version of HTTP that they use: without TLS by the HTTP/2 preface, over TLS
 * by ALPN.
 *
 * @param options `open`: returns undefined for a connection that it has refused. `accept`: called with an open connection
 *   once its protocol is known.
 */
export function createListener({
  tls,
  handshakeMs,
  open,
  accept,
  onFault,
}: {
  readonly tls: PortCertificate | undefined;
  readonly handshakeMs: number;
  readonly open: (socket: Socket) => Connection | undefined;
  readonly accept: (connection: Connection, protocol: "http1" | "http2") => void;
  readonly onFault: (fault: Error) => void;
}): Listener {
  // Half-open, because an HTTP/1.1 client may close its side after its request.
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true });
  const tlsServer =
    tls && createTlsServer({ ...contextOf(tls), ALPNProtocols: ["h2", "http/1.1"], handshakeTimeout: handshakeMs });
  /** Connections during the TLS handshake, by remote end, because TLS wraps the socket in another one. */
  const handshakes = new Map<string, Connection>();
  let isClosing = false;

  server.on("error", onFault);
  server.on("connection", (socket: Socket) => {
    socket.on("error", onFault);
    const connection = open(socket);
    if (connection === undefined) return;
    if (tlsServer === undefined) {
      detectProtocol(socket, (protocol) => accept(connection, protocol));
      return;
    }
    const remote = remoteEnd(socket);
    handshakes.set(remote, connection);
    socket.once("close", () => handshakes.delete(remote));
    tlsServer.emit("connection", socket);
  });
  tlsServer?.on("tlsClientError", onFault);
  tlsServer?.on("secureConnection", (socket: TLSSocket) => {
    socket.on("error", onFault);
    const connection = handshakes.get(remoteEnd(socket));
    if (connection === undefined || isClosing) {
      socket.destroy();
      return;
    }
    connection.socket = socket;
    accept(connection, socket.alpnProtocol === "h2" ? "http2" : "http1");
  });

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host }, () => {
          server.off("error", reject);
          resolve({ port: (server.address() as AddressInfo).port });
        });
      }),
    replaceCertificate(certificate) {
      tlsServer?.setSecureContext(contextOf(certificate));
    },
    close() {
      isClosing = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function contextOf({ cert, key }: PortCertificate) {
  return { cert, key, minVersion: "TLSv1.2" } as const;
}

function remoteEnd(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}

/** The first bytes of an HTTP/2 client (RFC 9113, section 3.4). */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/**
 * Detects HTTP/2 without TLS by its first bytes, and unshifts them before it calls back. Disconnects a client that
 * closes its side before then.
 */
function detectProtocol(socket: Socket, onDetected: (protocol: "http1" | "http2") => void): void {
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
