import type { Socket } from "node:net";
import { goAway } from "./frames.ts";
import type { Http2Fault, Http2Guard } from "./http2-guard.ts";

type Done = (error?: Error | null) => void;
// biome-ignore lint/suspicious/noExplicitAny: the listeners are those of a socket.
type Listener = (...args: any[]) => void;

/** How long a refused connection stays open. Closing it with bytes unread would reset it, and the client might lose the GOAWAY frame. */
const LINGER_MS = 100;

/** Sends GOAWAY and disconnects shortly after. What still arrives must be read and dropped by the caller. */
export function refuseConnection(socket: Socket, { lastStreamId, code, description }: Http2Fault): void {
  if (socket.writable) socket.write(goAway(lastStreamId, code, description));
  setTimeout(() => socket.destroy(), LINGER_MS);
}

/**
 * Stands between a socket (TCP or TLS) and `http2Server.emit("connection", …)`: nghttp2 gets only what the guard has
 * passed. After a fault it gets nothing more, `onFault` is called once, and the connection is refused.
 */
export function createGuardedSocket(
  socket: Socket,
  guard: Http2Guard,
  onFault: (fault: Http2Fault) => void,
): GuardedSocket {
  return new GuardedSocket(socket, guard, onFault);
}

/**
 * Has what Node's JSStreamSocket (lib/internal/js_stream_socket.js) and its HTTP/2 server use of a stream. JSStreamSocket
 * makes one write at a time, as many small buffers between `cork` and `uncork`; here they become one write of the socket.
 */
class GuardedSocket {
  readonly readableObjectMode = false;
  readonly #socket: Socket;
  readonly #guard: Http2Guard;
  readonly #onFault: (fault: Http2Fault) => void;
  #isRefused = false;
  #buffers: Buffer[] = [];
  #bytes = 0;
  #done: Done = () => {};
  /** How many calls of `#done` wait until the socket can take more. */
  #waiting = 0;

  constructor(socket: Socket, guard: Http2Guard, onFault: (fault: Http2Fault) => void) {
    this.#socket = socket;
    this.#guard = guard;
    this.#onFault = onFault;
    socket.on("drain", () => this.#finish());
  }

  get readable(): boolean {
    return this.#socket.readable;
  }

  get writable(): boolean {
    return this.#socket.writable;
  }

  get destroyed(): boolean {
    return this.#socket.destroyed;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  get encrypted(): boolean {
    return "encrypted" in this.#socket;
  }

  pause(): this {
    this.#socket.pause();
    return this;
  }

  resume(): this {
    this.#socket.resume();
    return this;
  }

  on(event: string, listener: Listener): this {
    this.#socket.on(event, event === "data" ? (chunk: Buffer) => this.#pass(chunk, listener) : listener);
    return this;
  }

  once(event: string, listener: Listener): this {
    this.#socket.once(event, listener);
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    this.#socket.removeListener(event, listener);
    return this;
  }

  cork(): void {}

  write(bytes: Buffer, done: Done): void {
    this.#buffers.push(bytes);
    this.#bytes += bytes.length;
    this.#done = done;
  }

  uncork(): void {
    const bytes = this.#buffers.length === 1 ? this.#buffers[0] : Buffer.concat(this.#buffers, this.#bytes);
    this.#waiting = this.#buffers.length;
    this.#buffers = [];
    this.#bytes = 0;
    if (bytes && this.#socket.write(bytes)) this.#finish();
  }

  end(done: Done): void {
    this.#socket.end(done);
  }

  destroy(error?: Error): void {
    this.#socket.destroy(error);
  }

  #pass(chunk: Buffer, listener: Listener): void {
    if (this.#isRefused) return;
    const fault = this.#guard.inspect(chunk);
    if (!fault) {
      listener(chunk);
      return;
    }
    this.#isRefused = true;
    refuseConnection(this.#socket, fault);
    this.#onFault(fault);
  }

  /** JSStreamSocket counts the calls; it ends a write with a timer of its own, so that they may come at once. */
  #finish(): void {
    const done = this.#done;
    for (; this.#waiting > 0; this.#waiting--) done();
  }
}
