/**
 * Passes the bytes that an HTTP/2 session reads to JavaScript before the session gets them, while its writes stay
 * within Node's C++ code. This uses undocumented parts of Node. The documented way, a custom stream for
 * `http2Server.emit("connection", …)`, costs 10 to 25 µs per call, because each piece that nghttp2 writes becomes a
 * buffer in JavaScript; and over TLS, an assertion in lib/internal/js_stream_socket.js fails when a connection breaks
 * during a write, which crashes the process (Node 24.21).
 */
import { createHook } from "node:async_hooks";
import { createServer as createHttp2Server, type Http2Server, type Http2Session } from "node:http2";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { createServer as createHttp1Server } from "../../node-http.ts";

/** Node's HTTP/1.1 parser, which can read from a socket's handle. */
interface Parser {
  initialize(type: number, resource: object, maxHeaderSize: number, lenientFlags: number): void;
  execute(bytes: Buffer): unknown;
  consume(handle: object): void;
  close(): void;
  [callback: number]: (bytes: Buffer) => void;
}

interface ParserClass {
  new (): Parser;
  readonly REQUEST: number;
  readonly kOnBody: number;
}

/** Node's object of an HTTP/2 session. `receive` passes bytes that the socket has already read to the session. */
interface SessionHandle {
  receive?(bytes: Buffer): void;
}

/** The head of a request whose body never ends. */
const ENDLESS_REQUEST = Buffer.from(`POST / HTTP/1.1\r\ncontent-length: ${Number.MAX_SAFE_INTEGER}\r\n\r\n`);

let parserClass: ParserClass | undefined;

/**
 * Throws if this version of Node lacks the internals that `startSession` and `tapReads` use. Call it before the first
 * connection.
 */
export function checkTap(): void {
  findParserClass();
  const stream = createIdleStream();
  startSession(createHttp2Server(), stream).session.destroy();
  stream.destroy();
}

/**
 * Passes a socket to an HTTP/2 server. `receive` passes bytes to the session, and must not be called after the session
 * is destroyed.
 */
export function startSession(
  server: Http2Server,
  socket: Duplex,
): { session: Http2Session; receive(bytes: Buffer): void } {
  let session: Http2Session | undefined;
  let handle: SessionHandle | undefined;
  const onSession = (started: Http2Session) => {
    session = started;
  };
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === "HTTP2SESSION") handle = resource;
    },
    trackPromises: false,
  });
  server.prependOnceListener("session", onSession);
  hook.enable();
  try {
    server.emit("connection", socket);
  } finally {
    hook.disable();
    server.removeListener("session", onSession);
  }
  const owner = handle;
  if (!session || !owner?.receive) throw new Error(`Node ${process.version} has no HTTP/2 session that receives bytes`);
  return { session, receive: (bytes) => owner.receive?.(bytes) };
}

/**
 * Passes the bytes that a socket receives from now on to `onBytes` instead of the previous reader. Several listeners
 * can be stacked on a handle, and the topmost one gets the bytes. Only an HTTP/1.1 parser leaves the notification of a
 * completed write to the listener below it, here the HTTP/2 session, so the bytes are read as the body of an endless
 * request. As with Node's own HTTP/2 sockets, callbacks that `onBytes` defers with `process.nextTick` may wait for the
 * next event.
 */
export function tapReads(socket: Socket, onBytes: (bytes: Buffer) => void): void {
  const handle = handleOf(socket);
  if (!handle) throw new Error("the socket has no handle");
  const ByteParser = findParserClass();
  const parser = new ByteParser();
  parser.initialize(ByteParser.REQUEST, {}, 0, 0);
  parser[ByteParser.kOnBody] = onBytes;
  parser.execute(ENDLESS_REQUEST);
  parser.consume(handle);
  socket.once("close", () => setImmediate(() => parser.close()));
}

function handleOf(socket: Socket): object | undefined {
  return (socket as Socket & { _handle?: object | null })._handle ?? undefined;
}

function findParserClass(): ParserClass {
  if (parserClass) return parserClass;
  const stream = createIdleStream();
  createHttp1Server().emit("connection", stream);
  const parser = (stream as Duplex & { parser?: Parser }).parser;
  const found = parser?.constructor as ParserClass | undefined;
  stream.destroy();
  if (typeof parser?.consume !== "function" || typeof found?.kOnBody !== "number") {
    throw new Error(`Node ${process.version} has no HTTP/1.1 parser that reads from a socket`);
  }
  parserClass = found;
  return found;
}

function createIdleStream(): Duplex {
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
}
