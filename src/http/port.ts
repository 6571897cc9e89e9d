import {
  createServer as createHttp1Server,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import {
  createServer as createHttp2Server,
  createSecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
  type ServerHttp2Stream,
} from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";

/** A request and its answer as Node gives them; those of HTTP/2 have the same form by its compatibility layer. */
export interface NodeExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers HTTP requests. It must not throw. */
export interface Listener {
  /** Offered each stream of HTTP/2 first, as it is; when it returns false, `onRequest` gets it as a request. */
  onStream?(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): boolean;
  onRequest(request: IncomingMessage, response: ServerResponse): void;
}

export interface PortOptions {
  readonly listener: Listener;
  /** PEM files. With them the port speaks TLS only, without them clear text only. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** How long a client may take for its TLS handshake, its first bytes, and the head of an HTTP/1.1 request. */
  readonly headerTimeoutMs?: number;
  /** How long a client may take for a whole HTTP/1.1 request. */
  readonly requestTimeoutMs?: number;
  /** After how long without any traffic a connection is closed. */
  readonly idleTimeoutMs?: number;
  /** Calls that one HTTP/2 connection may have running. */
  readonly maxConcurrentStreams?: number;
  /** Told of faults of connections and sessions, none of which concerns another one. For the log. */
  readonly onFault?: (fault: Error) => void;
}

export interface Port {
  /** Begins to listen and tells the port's number (asked for as 0: any free one). Rejects with Node's error, such as EADDRINUSE. */
  listen(port: number, host: string): Promise<{ port: number }>;
  /**
   * Takes no new connections and calls, lets those that run finish, and resolves once every connection is closed.
   * What is still open after `graceMs` is cut off.
   */
  drain(graceMs: number): Promise<void>;
}

/** RFC 9113, section 3.4: what an HTTP/2 client sends first. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * One TCP port for HTTP/1.1 and HTTP/2: in clear text told apart by the HTTP/2 preface (RFC 9113, section 3.3; `Upgrade: h2c`
 * is ignored), over TLS by ALPN. Broken connections are closed, and answered where the protocol has an answer; they never end the process.
 */
export function createPort(options: PortOptions): Port {
  const { listener, tls, headerTimeoutMs = 10_000, idleTimeoutMs = 120_000, onFault = () => {} } = options;
  const sockets = new Set<Socket>();
  /** Connections of which nobody knows yet what they will speak, by their remote end: TLS wraps a socket in another. */
  const undecided = new Map<string, Socket>();
  /** HTTP/1.1 connections, each with the answers that are not finished. */
  const answers = new Map<Socket, Set<ServerResponse>>();
  let drained: Promise<void> | undefined;

  const http1Limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headerTimeoutMs,
    requestTimeout: Math.max(options.requestTimeoutMs ?? 30_000, headerTimeoutMs),
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.min(headerTimeoutMs, 1_000),
  };
  const http2Limits = {
    settings: { maxConcurrentStreams: options.maxConcurrentStreams ?? 256, maxHeaderListSize: MAX_HEADER_BYTES },
    maxSessionMemory: 16,
    maxSessionInvalidFrames: 100,
    // Otherwise Node leaves out, without a word, a header with white space around its value, and a call would be for the
    // caller's own organization though it named another one.
    strictFieldWhitespaceValidation: false,
    maxSessionRejectedStreams: 100,
    // CVE-2023-44487: a connection that resets more streams than this is closed (burst, then per second).
    streamResetBurst: 1_000,
    streamResetRate: 33,
  };

  /** A listener that throws ends the one request that it met, never the process. */
  const contain = (broken: { destroy(): void }, serve: () => void) => {
    try {
      serve();
    } catch (cause) {
      onFault(new Error("the listener failed", { cause }));
      broken.destroy();
    }
  };
  const serveHttp1 = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const open = answers.get(socket);
    open?.add(response);
    // A connection that breaks is told by `close`; without a listener the error would end the process.
    response.on("error", onFault);
    response.once("close", () => {
      open?.delete(response);
      if (drained && open?.size === 0) socket.destroySoon();
    });
    if (drained) response.setHeader("connection", "close");
    contain(socket, () => listener.onRequest(request, response));
  };
  const serveStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw: string[]) => {
    // A stream that breaks is told by `close`; without a listener the error would end the process.
    stream.on("error", onFault);
    contain(stream, () => {
      if (headers.expect === "100-continue") stream.additionalHeaders({ ":status": 100 });
      if (listener.onStream?.(stream, headers)) return;
      const request = new Http2ServerRequest(stream, headers, {}, raw);
      const response = new Http2ServerResponse(stream);
      response.on("error", onFault);
      listener.onRequest(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
  };
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", onFault);
  };
  const takeHttp1 = (socket: Socket) => {
    answers.set(socket, new Set());
    socket.once("close", () => answers.delete(socket));
  };

  const http1 = createHttp1Server(http1Limits, serveHttp1);
  const http2 = tls
    ? createSecureServer(
        {
          ...http1Limits,
          ...http2Limits,
          ...tls,
          allowHTTP1: true,
          minVersion: "TLSv1.2",
          handshakeTimeout: headerTimeoutMs,
          noDelay: true,
          keepAlive: true,
        },
        serveHttp1 as never,
      )
    : createHttp2Server(http2Limits);
  // Node's own listener makes a request of each stream; ours does so only where one is needed.
  http2.removeAllListeners("stream");
  http2.on("stream", serveStream as never);
  // Half-open, because an HTTP/1.1 client may close its side once it has asked.
  const front: Server = tls ? http2 : createTcpServer({ allowHalfOpen: true, noDelay: true, keepAlive: true });

  front.on("connection", (socket: Socket) => {
    track(socket);
    const remote = remoteEnd(socket);
    undecided.set(remote, socket);
    socket.once("close", () => undecided.delete(remote));
    if (tls) return;
    tellProtocol(socket, headerTimeoutMs, (protocol) => {
      undecided.delete(remote);
      if (protocol === "http1") takeHttp1(socket);
      else socket.allowHalfOpen = false;
      (protocol === "http1" ? http1 : http2).emit("connection", socket);
    });
  });
  http2.prependListener("secureConnection", (socket: Socket & { alpnProtocol: string | false | null }) => {
    undecided.delete(remoteEnd(socket));
    track(socket);
    if (socket.alpnProtocol === "h2") return;
    takeHttp1(socket);
    if (drained) socket.destroy();
  });
  http2.on("session", (session) => {
    session.setTimeout(idleTimeoutMs, () => session.close());
    if (drained) session.close();
  });
  for (const server of new Set([front, http1, http2])) {
    server.on("error", onFault);
    server.on("sessionError", onFault);
    server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
      onFault(error);
      refuse(error, socket, answers.get(socket));
    });
  }
  // Node's HTTP/1.1 server watches its timeouts only from this event on.
  if (!tls) front.on("listening", () => http1.emit("listening"));

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        front.once("error", reject);
        front.listen({ port, host }, () => {
          front.off("error", reject);
          resolve({ port: (front.address() as AddressInfo).port });
        });
      }),
    drain(graceMs) {
      drained ??= new Promise((resolve) => {
        const timer = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, graceMs);
        front.close(() => {
          clearTimeout(timer);
          resolve();
        });
        http1.close();
        if (front !== http2) http2.close();
        for (const socket of undecided.values()) socket.destroy();
        for (const [socket, open] of answers) {
          if (open.size === 0) socket.destroy();
          for (const response of open) if (!response.headersSent) response.setHeader("connection", "close");
        }
      });
      return drained;
    },
  };
}

/**
 * Reads just enough to tell which protocol a client speaks, and puts the bytes back before it says so. A client that is
 * not clear about it within `timeoutMs`, or that leaves, is disconnected.
 */
function tellProtocol(socket: Socket, timeoutMs: number, tell: (protocol: "http1" | "http2") => void): void {
  let bytes = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const stop = () => clearTimeout(timer);
  const leave = () => socket.destroy();
  const read = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) bytes = Buffer.concat([bytes, chunk]);
    const length = Math.min(bytes.length, PREFACE.length);
    const isPreface = bytes.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (isPreface && length < PREFACE.length) return;
    stop();
    socket.off("readable", read).off("end", leave).off("close", stop);
    socket.unshift(bytes);
    tell(isPreface ? "http2" : "http1");
  };
  socket.on("readable", read).once("end", leave).once("close", stop);
}

/** Answers what is no HTTP/1.1 request, provided that no answer is under way, and disconnects. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, open: ReadonlySet<ServerResponse> = new Set()): void {
  const status = refusal(error.code);
  if (!status || !socket.writable || [...open].some((response) => response.headersSent)) {
    socket.destroy();
    return;
  }
  socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  socket.destroySoon();
}

function refusal(code: string | undefined): string | undefined {
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  return code?.startsWith("HPE_") ? "400 Bad Request" : undefined;
}

function remoteEnd(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
