import { createServer, type Socket } from "node:net";

/** One PostgreSQL session. `execute` takes whole messages and gives everything the session answers to them. */
export interface WireBackend {
  /** What a connecting client is told: authentication, parameters, backend key, ReadyForQuery. */
  readonly greeting: Uint8Array;
  execute(messages: Uint8Array): Promise<Buffer>;
}

export interface WireServerOptions {
  /** Path of the Unix socket. */
  readonly path: string;
  readonly backend: WireBackend;
  /** The backend failed or stopped answering: it is of no further use. Called instead of an answer to anybody. */
  readonly onBroken: (cause: unknown) => void;
  /** The longest batch a connection may send; it is dropped when it sends more. */
  readonly maxBatchBytes: number;
  /** How long a connection may keep the session to itself without using it, in an open transaction for instance. */
  readonly maxIdleHoldMs: number;
}

export interface WireServer {
  /** Refuses new connections, ends the present ones, rolls back what they left open. Then the backend is unused. */
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

const SYNC = message("S");
const ROLLBACK = message("Q", "rollback\0");
const COPY_FAIL = message("f", "COPY FROM STDIN is not supported by the embedded database\0");

/**
 * Serves one PostgreSQL session to many connections.
 *
 * A batch is what a connection sends up to and including Sync, Query or Flush. It is handed over as a whole, and
 * never between the messages of another connection's batch, since all share one unnamed statement and one
 * error-until-Sync state. After a batch the session stays with its connection until it is idle: a transaction has it to
 * itself, and is rolled back when its connection ends. What a client sets for its session (SET, LISTEN, named
 * statements) it sets for all.
 */
export async function serveWire(options: WireServerOptions): Promise<WireServer> {
  const { backend, onBroken } = options;
  const turns = createTurns();
  const sockets = new Set<Socket>();

  const execute = async (messages: Uint8Array, isAnswerComplete = true): Promise<Buffer> => {
    try {
      const answer = await backend.execute(messages);
      if (isAnswerComplete && !endsReady(answer)) throw new Error("the embedded database stopped answering");
      return answer;
    } catch (cause) {
      onBroken(cause);
      throw cause;
    }
  };

  const converse = async (socket: Socket): Promise<void> => {
    const reader = createReader(socket);
    if (!(await shakeHands(socket, reader, backend.greeting))) return;
    for (;;) {
      const batch = await whileHolding(socket, readBatch(reader, options.maxBatchBytes));
      if (batch.kind === "end") return;
      if (batch.kind === "refused") return fatal(socket, batch.code, batch.reason);

      await turns.take(socket);
      if (socket.destroyed) return;
      const answer = await execute(batch.messages, !batch.isFlush);
      if (!batch.isFlush && isIdle(answer)) turns.give(socket);
      await whileHolding(socket, write(socket, answer));
    }
  };

  /** Waits for the client: not for ever, when everybody else waits for it too. */
  const whileHolding = async <T>(socket: Socket, client: Promise<T>): Promise<T> => {
    const tooLong = () => {
      fatal(socket, "25P03", "idle in a transaction, which keeps everybody waiting");
      // A client that does not read would never let it end.
      setImmediate(() => socket.destroy());
    };
    const timer = turns.holder() === socket ? setTimeout(tooLong, options.maxIdleHoldMs) : undefined;
    try {
      return await client;
    } finally {
      clearTimeout(timer);
    }
  };

  /** Whatever the connection left open must not be seen by the next one. */
  const leave = async (socket: Socket): Promise<void> => {
    if (turns.holder() !== socket) return;
    if (!isIdle(await execute(SYNC))) await execute(ROLLBACK);
    turns.give(socket);
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    // A write to a connection that is gone; reading tells the same in its own way.
    socket.on("error", () => {});
    converse(socket)
      .catch(() => {})
      .then(() => leave(socket))
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
      await turns.take(server);
    },
  };
}

/** Who may use the session: one at a time, the others in the order in which they came. */
function createTurns() {
  let holder: object | undefined;
  const queue: { readonly who: object; readonly begin: () => void }[] = [];
  return {
    holder: () => holder,
    async take(who: object): Promise<void> {
      if (holder === undefined) holder = who;
      if (holder !== who) await new Promise<void>((begin) => queue.push({ who, begin }));
    },
    give(who: object): void {
      if (holder !== who) return;
      const next = queue.shift();
      holder = next?.who;
      next?.begin();
    },
  };
}

/** Takes the connection to its first query: refuses encryption, ignores cancellation, trusts whoever got this far. */
async function shakeHands(socket: Socket, reader: Reader, greeting: Uint8Array): Promise<boolean> {
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
        socket.write(greeting);
        return true;
      case CANCEL_REQUEST: // Nothing can be cancelled: while the session works, its thread reads no socket.
      case undefined:
        return false;
      default:
        fatal(socket, "08P01", "unsupported protocol version");
        return false;
    }
  }
}

type Batch =
  | { readonly kind: "batch"; readonly messages: Buffer; readonly isFlush: boolean }
  | { readonly kind: "refused"; readonly code: string; readonly reason: string }
  | { readonly kind: "end" };

/**
 * The next messages that are to run together. Each batch also carries a CopyFail, which PostgreSQL ignores unless it
 * waits for COPY data: there, PGlite would find the end of its input instead, and exit.
 */
async function readBatch(reader: Reader, maxBytes: number): Promise<Batch> {
  const messages: Buffer[] = [];
  let size = 0;
  for (;;) {
    const header = await reader.take(5);
    if (!header) return { kind: "end" };
    const type = String.fromCharCode(header.readUInt8(0));
    const length = header.readInt32BE(1) - 4;
    if (length < 0) return { kind: "refused", code: "08P01", reason: "malformed message" };
    size += header.length + length;
    if (size > maxBytes) return { kind: "refused", code: "54000", reason: `more than ${maxBytes} bytes at once` };
    const body = await reader.take(length);
    if (!body) return { kind: "end" };

    switch (type) {
      case "P": // Parse
      case "B": // Bind
      case "D": // Describe
      case "E": // Execute
      case "C": // Close
        messages.push(header, body);
        break;
      case "S": // Sync
      case "H": // Flush
        return {
          kind: "batch",
          messages: Buffer.concat([...messages, COPY_FAIL, header, body]),
          isFlush: type === "H",
        };
      case "Q": // Query
      case "F": // FunctionCall
        return { kind: "batch", messages: Buffer.concat([...messages, header, body, COPY_FAIL]), isFlush: false };
      case "d": // CopyData, CopyDone, CopyFail: for a COPY that has failed already
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
  /** The next so many bytes, or undefined when the connection ends before. */
  take(bytes: number): Promise<Buffer | undefined>;
}

/** Joins what arrives only once enough of it is there: a batch of 64 MiB comes in a thousand pieces. */
function createReader(socket: Socket): Reader {
  const incoming: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  let pieces: Buffer[] = [];
  let size = 0;
  return {
    async take(bytes) {
      while (size < bytes) {
        const next = await incoming.next();
        if (next.done) return undefined;
        pieces.push(next.value);
        size += next.value.length;
      }
      const joined = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      pieces = [joined.subarray(bytes)];
      size -= bytes;
      return joined.subarray(0, bytes);
    },
  };
}

/** Resolves once the client reads, so that one that does not makes nothing pile up. */
function write(socket: Socket, answer: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.write(answer, () => resolve())) resolve();
  });
}

function fatal(socket: Socket, code: string, reason: string): void {
  socket.end(message("E", `SFATAL\0VFATAL\0C${code}\0M${reason}\0\0`));
  socket.destroySoon();
}

function message(type: string, body = ""): Buffer {
  const bytes = Buffer.from(`${type}....${body}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

/** ReadyForQuery is always the last message of an answer; its last byte says whether a transaction is open. */
function endsReady(answer: Buffer): boolean {
  return (
    answer.length >= 6 && answer.readUInt8(answer.length - 6) === 0x5a && answer.readInt32BE(answer.length - 5) === 5
  );
}

function isIdle(answer: Buffer): boolean {
  return answer.at(-1) === "I".charCodeAt(0);
}
