import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { makeFolder } from "../files.ts";
import type { WorkerInput, WorkerMessage } from "./embedded-worker.ts";

/** A running embedded database. */
export interface Embedded {
  /** `pg` connects with `{host: socketDir, port: 5432, user: "postgres", database: "postgres"}`. */
  readonly socketDir: string;
  /** Resolves, never rejects, if the database stops without `close`. All its connections are closed by then. */
  readonly crashed: Promise<Error>;
  /** Closes all connections, rolls back open transactions, and resolves when the database has shut down. */
  close(): Promise<void>;
}

/** The socket name that PostgreSQL clients derive from port 5432. */
const SOCKET_NAME = ".s.PGSQL.5432";
/** The size of `sockaddr_un.sun_path` without its terminating zero. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;
/**
 * With a thread's default of 4 MiB, deep recursion (a sum of 20,000 terms, nested JSON) overflowed the stack before it
 * reached PostgreSQL's max_stack_depth, and crashed the database. With 64 MiB, each such statement fails with an error.
 */
const STACK_MB = 64;
/** Optimizing WebAssembly code takes 600 MB and a second of CPU time, too much for code that runs once. */
const CREATOR_FLAGS = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];

/**
 * Starts PostgreSQL in a worker thread, with its data in `<dataDir>/db`. It listens on a Unix socket in a folder that
 * only this user can access. The caller must hold the lock of the data folder (`data-lock.ts`) until the database is
 * closed.
 *
 * All connections share one session: see `session-server.ts`. The data survives a kill of the process, but not a power
 * failure, because writes are not synced to disk.
 */
export async function startEmbedded(dataDir: string): Promise<Embedded> {
  makeFolder(dataDir);
  const { socketDir, socketPath } = prepareSocket(dataDir);
  const databaseDir = join(resolve(dataDir), "db");
  if (!existsSync(databaseDir)) await createDatabase(databaseDir);
  const worker = startWorker({ databaseDir, socketPath });
  let isClosing = false;
  let reason = "stopped unexpectedly";
  const exited = new Promise<void>((done) => worker.once("exit", () => done()));
  const crashed = Promise.withResolvers<Error>();
  const ready = Promise.withResolvers<void>();
  worker.on("message", (message: WorkerMessage) => {
    if (message.kind === "ready") ready.resolve();
    else reason = message.reason;
  });
  worker.on("error", (error) => {
    reason = error.message;
  });
  exited.then(() => {
    rmSync(socketPath, { force: true });
    if (!isInside(socketDir, dataDir)) rmSync(socketDir, { recursive: true, force: true });
    const error = new Error(`embedded database: ${reason}`);
    ready.reject(error);
    if (!isClosing) crashed.resolve(error);
  });

  await ready.promise;
  return {
    socketDir,
    crashed: crashed.promise,
    async close() {
      if (!isClosing) worker.postMessage("close");
      isClosing = true;
      await exited;
    },
  };
}

function startWorker(input: WorkerInput): Worker {
  const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), {
    workerData: input,
    resourceLimits: { stackSizeMb: STACK_MB },
    // Hide the process's secrets and flags from the thread, and discard its output.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/**
 * Creates the data under a temporary name, because PGlite copies the files one by one and may be killed in between. A
 * separate process does this, because malloc would keep 100 MB of memory in a thread. Only the caller renames the
 * folder, because the other process may outlive this one.
 */
async function createDatabase(databaseDir: string): Promise<void> {
  const folder = dirname(databaseDir);
  const prefix = `${basename(databaseDir)}.new`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  const unfinished = mkdtempSync(join(folder, `${prefix}-`));
  const args = [...CREATOR_FLAGS, fileURLToPath(new URL("./embedded-creator.ts", import.meta.url)), unfinished];
  await promisify(execFile)(process.execPath, args, { env: {} }).catch(({ code, signal }) => {
    throw new Error(`embedded database: creating it failed (${signal ?? `exit status ${code}`})`);
  });
  renameSync(unfinished, databaseDir);
}

/**
 * Returns the socket folder of a data folder, whether or not a server runs: `<dataDir>/socket`, or a folder in the
 * system's temporary folder if that path is too long for a socket.
 */
export function embeddedAddress(dataDir: string): string {
  const inside = join(resolve(dataDir), "socket");
  if (Buffer.byteLength(join(inside, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES) return inside;
  const hash = createHash("sha256")
    .update(`${process.getuid?.()}:${resolve(dataDir)}`)
    .digest("hex");
  return join(tmpdir(), `signet-${hash.slice(0, 20)}`);
}

/** The socket's folder, which exists afterwards, and its path, which does not. */
function prepareSocket(dataDir: string): { readonly socketDir: string; readonly socketPath: string } {
  const socketDir = embeddedAddress(dataDir);
  const socketPath = join(socketDir, SOCKET_NAME);
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`the socket path is too long: ${socketPath}`);
  prepareSocketDir(socketDir, dataDir);
  rmSync(socketPath, { force: true });
  return { socketDir, socketPath };
}

/** Only the mode of the folder protects the database from other users, because it requires no password. */
function prepareSocketDir(socketDir: string, dataDir: string): void {
  makeFolder(socketDir);
  // Inside the data folder, a wider mode is an accident (a copied or remounted volume). In a public folder, it may be
  // an attack.
  const isOurs = isInside(socketDir, dataDir);
  const found = lstatSync(socketDir);
  if (isOurs && found.isDirectory() && found.uid === process.getuid?.()) chmodSync(socketDir, 0o700);
  else if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new Error(`expected ${socketDir} to be a folder of this user with mode 0700`);
  }
}

function isInside(socketDir: string, dataDir: string): boolean {
  return socketDir === join(resolve(dataDir), "socket");
}
