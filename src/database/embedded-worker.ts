/**
 * The thread of the embedded database, started by `embedded.ts`: PGlite behind a Unix socket. It posts `ready` once to
 * its parent, and `crashed` if it fails. Any message from the parent means "close".
 *
 * pglite-socket (0.2.17) is not used, because it passes each wire message to the shared session separately, so messages
 * of different connections interleave when a batch arrives in several chunks. With 16 `pg` connections and 600 KB in
 * every eighth statement, 86 of 960 statements failed with an error of another connection, such as 26000 or 08P01. With
 * connections killed in between, one of 936 *ran as another client's statement*
 * (https://github.com/electric-sql/pglite/issues/1046).
 */
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { serveSession } from "./session-server.ts";

/** Passed by `embedded.ts`. */
export interface WorkerInput {
  readonly databaseDir: string;
  readonly socketPath: string;
}

export type WorkerMessage = { readonly kind: "ready" } | { readonly kind: "crashed"; readonly reason: string };

/** PGlite's exit status for an ordinary PostgreSQL error that unwinds to the main loop. */
const POSTGRES_ERROR = 100;
/**
 * PostgreSQL writes to all of them when it starts, so they are resident memory: with its default of 128 MB, 115 MB
 * more. Other pages are in the operating system's page cache.
 */
const SHARED_BUFFERS = "16MB";
const MAX_BATCH_BYTES = 64 * 1024 * 1024;
/**
 * Changes of the administration and migrations hold the session across statements, while all other calls wait. They do
 * nothing else between two statements.
 */
const MAX_IDLE_HOLD_MS = 2_000;

const { databaseDir, socketPath }: WorkerInput = workerData;
/** PostgreSQL's FATAL or PANIC message. Other log lines are not kept, because they may quote rows. */
let fatalMessage: string | undefined;

try {
  const database = await open(databaseDir);
  crashOnTrap(database);
  const startupResponse = await exchange(database, startupMessage());
  const server = await serveSession({
    path: socketPath,
    backend: { startupResponse, execute: (messages) => exchange(database, messages) },
    onBackendFailure: crash,
    maxBatchBytes: MAX_BATCH_BYTES,
    maxIdleHoldMs: MAX_IDLE_HOLD_MS,
  });
  parentPort?.once("message", async () => {
    await server.close();
    await database.close();
    process.exit(0);
  });
  post({ kind: "ready" });
} catch (error) {
  crash(error);
}

function open(directory: string): Promise<PGlite> {
  return PGlite.create(directory, {
    startParams: [...PGlite.defaultStartParams, "-c", `shared_buffers=${SHARED_BUFFERS}`],
    onStderr(text) {
      fatalMessage ??= /^\S+ \S+ UTC \[\d+\] (?:FATAL|PANIC): +(.*)/.exec(text)?.[1];
      return false;
    },
  });
}

/**
 * PGlite catches WebAssembly traps and continues with a corrupt session, sometimes in an infinite loop. Exit instead.
 */
function crashOnTrap({ Module }: PGlite): void {
  const mainLoopOnce = Module._PostgresMainLoopOnce;
  Module._PostgresMainLoopOnce = () => {
    try {
      mainLoopOnce();
    } catch (error) {
      if (!(error instanceof Object && "status" in error && error.status === POSTGRES_ERROR)) crash(error);
      throw error;
    }
  };
}

async function exchange(database: PGlite, messages: Uint8Array): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Copy each chunk, because the next one overwrites its memory.
  await database.execProtocolRawStream(messages, { onRawData: (chunk) => void chunks.push(Buffer.from(chunk)) });
  return Buffer.concat(chunks);
}

/**
 * Its response is replayed to each client. Another startup would wait for, and reveal, another client's transaction.
 */
function startupMessage(): Buffer {
  const bytes = Buffer.from("....\0\x03\0\0user\0postgres\0database\0postgres\0\0");
  bytes.writeInt32BE(bytes.length, 0);
  return bytes;
}

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

function crash(error: unknown): never {
  post({ kind: "crashed", reason: fatalMessage ?? (error instanceof Error ? error.message : String(error)) });
  process.exit(1);
}
