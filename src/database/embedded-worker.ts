/**
 * The thread of the embedded database, started by `embedded.ts`: PGlite behind a Unix socket. It tells its parent
 * "ready" once, and why it died if it did; any message to it means "close".
 *
 * Why not pglite-socket (0.2.17): it gives each wire message to the shared session by itself, so that a batch which
 * arrives in several pieces mixes with those of others. With 16 `pg` connections and every eighth statement carrying
 * 600 KB, 86 of 960 statements failed with someone else's error, such as 26000 or 08P01, and of 936 with connections
 * killed in between one *ran as another client's statement* (https://github.com/electric-sql/pglite/issues/1046).
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { serveWire } from "./wire-server.ts";

/** What `embedded.ts` hands over. */
export interface WorkerInput {
  readonly databaseDir: string;
  readonly socketPath: string;
}

export type WorkerMessage = { readonly kind: "ready" } | { readonly kind: "died"; readonly reason: string };

/** PGlite's own exit status for an ordinary PostgreSQL error that unwinds to the main loop. */
const POSTGRES_ERROR = 100;
const MAX_BATCH_BYTES = 64 * 1024 * 1024;
/** As long as a statement may take on PostgreSQL; only migrations hold the session over several statements. */
const MAX_IDLE_HOLD_MS = 10_000;

const { databaseDir, socketPath }: WorkerInput = workerData;
/** PostgreSQL's last words, which say more than PGlite's exception. No other line is kept: they may quote rows. */
let lastWords: string | undefined;

try {
  const database = await open(databaseDir);
  dieOfTraps(database);
  const greeting = await exchange(database, startupMessage());
  const server = await serveWire({
    path: socketPath,
    backend: { greeting, execute: (messages) => exchange(database, messages) },
    onBroken: die,
    maxBatchBytes: MAX_BATCH_BYTES,
    maxIdleHoldMs: MAX_IDLE_HOLD_MS,
  });
  parentPort?.once("message", async () => {
    await server.close();
    await database.close();
    process.exit(0);
  });
  tell({ kind: "ready" });
} catch (error) {
  die(error);
}

/** A new database is made beside its place: PGlite copies it there file by file, which a kill would leave half done. */
async function open(directory: string): Promise<PGlite> {
  if (!existsSync(directory)) {
    const unfinished = `${directory}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    const database = await start(unfinished);
    await database.close();
    renameSync(unfinished, directory);
  }
  return start(directory);
}

function start(directory: string): Promise<PGlite> {
  return PGlite.create(directory, {
    onStderr(text) {
      lastWords ??= /^\S+ \S+ UTC \[\d+\] (?:FATAL|PANIC): +(.*)/.exec(text)?.[1];
      return false;
    },
  });
}

/** PGlite catches whatever its code throws and goes on with what is left of the session, sometimes in an endless loop. */
function dieOfTraps({ Module }: PGlite): void {
  const mainLoopOnce = Module._PostgresMainLoopOnce;
  Module._PostgresMainLoopOnce = () => {
    try {
      mainLoopOnce();
    } catch (error) {
      if (!(error instanceof Object && "status" in error && error.status === POSTGRES_ERROR)) die(error);
      throw error;
    }
  };
}

async function exchange(database: PGlite, messages: Uint8Array): Promise<Buffer> {
  const pieces: Buffer[] = [];
  // A piece is a view of memory that the next one overwrites.
  await database.execProtocolRawStream(messages, { onRawData: (piece) => void pieces.push(Buffer.from(piece)) });
  return Buffer.concat(pieces);
}

/** Each client is told what this answers: to go through it again would wait for, and tell of, another's transaction. */
function startupMessage(): Buffer {
  const bytes = Buffer.from("....\0\x03\0\0user\0postgres\0database\0postgres\0\0");
  bytes.writeInt32BE(bytes.length, 0);
  return bytes;
}

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

function die(error: unknown): never {
  tell({ kind: "died", reason: lastWords ?? (error instanceof Error ? error.message : String(error)) });
  process.exit(1);
}
