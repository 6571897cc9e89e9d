import { createServer, type Socket } from "node:net";
import { type ClientMessage, createSessionStatements, SYNC, toMessage } from "./session-statements.ts";

/** One PostgreSQL session. `execute` takes complete messages and resolves to the session's complete response. */
interface SessionBackend {
  /** The response to a startup message: authentication, parameters, backend key, ReadyForQuery. */
  readonly startupResponse: Uint8Array;
  execute(messages: Uint8Array): Promise<Buffer>;
}

interface SessionServerOptions {
  /** Path of the Unix socket. */
  readonly path: string;
  readonly backend: SessionBackend;
  /**
   * Called when the backend has failed or sent an incomplete response. It is no longer usable, and clients get no
   * response.
   */
  readonly onBackendFailure: (cause: unknown) => void;
  /** Size limit of a batch. A connection that exceeds it is closed. */
  readonly maxBatchBytes: number;
  /** How long a connection may hold the session without using it, for example in an open transaction. */
  readonly maxIdleHoldMs: number;
}

interface SessionServer {
  /** Refuses new connections, closes the others, and rolls back open transactions. Afterwards, the backend is idle. */
  close(): Promise<void>;
}

// https://www.postgresql.org/docs/current/protocol-message-formats.html
const PROTOCOL_3_0 = 196608;
const CANCEL_REQUEST = 80877102;
const SSL_REQUEST = 80877103;
const GSSENC_REQUEST = 80877104;
/** PostgreSQL's own limit (MAX_STARTUP_PACKET_LENGTH). */
const MAX_STARTUP_BYTES = 10_000;
const MAX_CONNECTIONS = 100;

const ROLLBACK = toMessage("Q", "rollback\0");
const COPY_FAIL: ClientMessage = {
  type: "f",
  bytes: toMessage("f", "COPY FROM STDIN is not supported by the embedded database\0"),
};

/**
 * Shares one PostgreSQL session among many connections.
 *
 * A batch is what a connection sends up to and including Sync, Query or Flush. Batches are passed to the session as a
 * whole and never interleave, because all connections share one unnamed statement and one error-until-Sync state. A
 * connection holds the session until it is idle after a batch, so a transaction has exclusive use of it, and is rolled
 * back when its connection closes. Session state (SET, LISTEN) is shared by all connections, and so are named statements
 * (`createSessionStatements`).
 */
export async function serveSession(options: SessionServerOptions): Promise<SessionServer> {
  const { backend, onBackendFailure } = options;
  const lock = createSessionLock();
  const sockets = new Set<Socket>();

  const execute = async (messages: Uint8Array, endsWithReady = true): Promise<Buffer> => {
    try {
      const response = await backend.execute(messages);
      if (endsWithReady && !isReady(response)) throw new Error("incomplete response from the embedded database");
      return response;
    } catch (cause) {
      onBackendFailure(cause);
      throw cause;
    }
  };

  const statements = createSessionStatements(execute);

  const serveConnection = async (socket: Socket): Promise<void> => {
    const reader = createReader(socket);
    if (!(await handshake(socket, reader, backend.startupResponse))) return;
    // A Sync for its own messages would end the connection's batch.
    let isBehindFlush = false;
    for (;;) {
      const batch = await limitHold(socket, readBatch(reader, options.maxBatchBytes));
      if (batch.kind === "end") return;
      if (batch.kind === "refused") return fatal(socket, batch.code, batch.reason);

      await lock.acquire(socket);
      if (socket.destroyed) return;
      const messages = isBehindFlush
        ? Buffer.concat(batch.messages.map(({ bytes }) => bytes))
        : await statements.resolve(batch.messages);
      const response = await execute(messages, !batch.isFlush);
      isBehindFlush = batch.isFlush;
      if (!batch.isFlush && isIdle(response)) lock.release(socket);
      await limitHold(socket, write(socket, response));
    }
  };

  /**
   * Waits for the client to send or read data. Closes a connection that holds the session for longer than the limit.
   */
  const limitHold = async <T>(socket: Socket, transfer: Promise<T>): Promise<T> => {
    const onTimeout = () => {
      fatal(socket, "25P03", "idle-in-transaction timeout: the session is shared by all connections");
      // If the client does not read, its connection would otherwise stay open.
      setImmediate(() => socket.destroy());
    };
    const timer = lock.holder() === socket ? setTimeout(onTimeout, options.maxIdleHoldMs) : undefined;
    try {
      return await transfer;
    } finally {
      clearTimeout(timer);
    }
  };

  /** Ends a failed batch or an open transaction before the next connection uses the session. */
  const releaseSession = async (socket: Socket): Promise<void> => {
    if (lock.holder() !== socket) return;
    if (!isIdle(await execute(SYNC))) await execute(ROLLBACK);
    lock.release(socket);
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    // Ignore write errors of a closed connection. Reading fails too, and is handled.
    socket.on("error", () => {});
    serveConnection(socket)
      .catch(() => {})
      .then(() => releaseSession(socket))
      .catch(() => {})
      .finally(() => {
        socket.end();
        sockets.delete(socket);
      });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject).listen(options.path, resolve);
  });

  return {
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await lock.acquire(server);
    },
  };
}

/** A reentrant lock with a first-in-first-out queue. */
function createSessionLock() {
  let holder: object | undefined;
  const queue: { readonly owner: object; readonly admit: () => void }[] = [];
  return {
    holder: () => holder,
    async acquire(owner: object): Promise<void> {
      if (holder === undefined) holder = owner;
      if (holder !== owner) await new Promise<void>((admit) => queue.push({ owner, admit }));
    },
    release(owner: object): void {
      if (holder !== owner) return;
      const next = queue.shift();
      holder = next?.owner;
      next?.admit();
    },
  };
}

/**
 * Performs the startup of a connection. Refuses encryption and ignores cancel requests. There is no authentication: the
 * mode of the socket's folder restricts access.
 *
 * @returns Whether the connection can send queries.
 */
async function handshake(socket: Socket, reader: Reader, startupResponse: Uint8Array): Promise<boolean> {
  for (;;) {
    const length = (await reader.take(4))?.readInt32BE(0);
    if (length === undefined || length < 8 || length > MAX_STARTUP_BYTES) return false;
    const code = (await reader.take(length - 4))?.readInt32BE(0);
    switch (code) {
      case SSL_REQUEST:
      case GSSENC_REQUEST:
        socket.write("N");
        break;
      case PROTOCOL_3_0:
        socket.write(startupResponse);
        return true;
      case CANCEL_REQUEST: // Not possible: a running query blocks the thread that would read the request.
      case undefined:
        return false;
      default:
        fatal(socket, "08P01", "unsupported protocol version");
        return false;
    }
  }
}

type Batch =
  | { readonly kind: "batch"; readonly messages: readonly ClientMessage[]; readonly isFlush: boolean }
  | { readonly kind: "refused"; readonly code: string; readonly reason: string }
  | { readonly kind: "end" };

/**
 * Reads the next batch. Adds a CopyFail to it, which PostgreSQL ignores unless it waits for COPY data. In that case,
 * PGlite would otherwise reach the end of its input and exit.
 */
async function readBatch(reader: Reader, maxBytes: number): Promise<Batch> {
  const messages: ClientMessage[] = [];
  let size = 0;
  for (;;) {
    const header = await reader.take(5);
    if (!header) return { kind: "end" };
    const type = String.fromCharCode(header.readUInt8(0));
    const length = header.readInt32BE(1) - 4;
    if (length < 0) return { kind: "refused", code: "08P01", reason: "malformed message" };
    size += header.length + length;
    if (size > maxBytes) return { kind: "refused", code: "54000", reason: `a batch must not exceed ${maxBytes} bytes` };
    const body = await reader.take(length);
    if (!body) return { kind: "end" };
    const message = { type, bytes: Buffer.concat([header, body]) };

    switch (type) {
      case "P": // Parse
      case "B": // Bind
      case "D": // Describe
      case "E": // Execute
      case "C": // Close
        messages.push(message);
        break;
      case "S": // Sync
      case "H": // Flush
        return { kind: "batch", messages: [...messages, COPY_FAIL, message], isFlush: type === "H" };
      case "Q": // Query
      case "F": // FunctionCall
        return { kind: "batch", messages: [...messages, message, COPY_FAIL], isFlush: false };
      case "d": // CopyData, CopyDone, CopyFail: discarded, because the COPY has already failed
      case "c":
      case "f":
        size -= header.length + length;
        break;
      case "X": // Terminate
        return { kind: "end" };
      default:
        return { kind: "refused", code: "08P01", reason: "unknown message type" };
    }
  }
}

interface Reader {
  /** Resolves to the next bytes, or to undefined if the connection closes before they arrive. */
  take(bytes: number): Promise<Buffer | undefined>;
}

/** Concatenates chunks only when enough bytes have arrived, because a batch of 64 MiB arrives in a thousand chunks. */
function createReader(socket: Socket): Reader {
  const incoming: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    async take(bytes) {
      while (size < bytes) {
        const next = await incoming.next();
        if (next.done) return undefined;
        chunks.push(next.value);
        size += next.value.length;
      }
      const joined = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      chunks = [joined.subarray(bytes)];
      size -= bytes;
      return joined.subarray(0, bytes);
    },
  };
}

/** Resolves when the socket accepts more data: backpressure bounds the memory that a slow client can occupy. */
function write(socket: Socket, response: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.write(response, () => resolve())) resolve();
  });
}

function fatal(socket: Socket, code: string, reason: string): void {
  socket.end(toMessage("E", `SFATAL\0VFATAL\0C${code}\0M${reason}\0\0`));
  socket.destroySoon();
}

/** Whether a response ends with ReadyForQuery, whose last byte is the transaction status. */
function isReady(response: Buffer): boolean {
  const start = response.length - 6;
  return start >= 0 && response.readUInt8(start) === "Z".charCodeAt(0) && response.readInt32BE(start + 1) === 5;
}

/** Whether a response that ends with ReadyForQuery reports that no transaction is open. */
function isIdle(response: Buffer): boolean {
  return response.at(-1) === "I".charCodeAt(0);
}
