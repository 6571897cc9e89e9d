import { createHash } from "node:crypto";
import { chmodSync, lstatSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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
 * reached PostgreSQL's max_stack_depth, and crashed the database. With 64 MiB each such statement fails with an error.
 */
const STACK_MB = 64;

/**
 * Starts PostgreSQL in a worker thread, with its data in `<dataDir>/db`. It listens on a Unix socket in a folder that
 * only this user can access. The caller must hold the lock of the data folder (`data-lock.ts`) until the database is
 * closed.
 *
 * All connections share one session: see `wire-server.ts`. The data survives a kill of the process, but not a power
 * failure, because writes are not synced to disk.
 */
export async function startEmbedded(dataDir: string): Promise<Embedded> {
  makeFolder(dataDir);
  const socketDir = embeddedAddress(dataDir);
  const socketPath = join(socketDir, SOCKET_NAME);
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`the socket path is too long: ${socketPath}`);
  prepareSocketDir(socketDir, dataDir);
  rmSync(socketPath, { force: true });

  const input: WorkerInput = { databaseDir: join(resolve(dataDir), "db"), socketPath };
  const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), {
    workerData: input,
    resourceLimits: { stackSizeMb: STACK_MB },
    // Keep the process's secrets and flags from the thread, and discard its output.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();

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

/** Only the mode of the folder protects the database from other users, because it requires no password. */
function prepareSocketDir(socketDir: string, dataDir: string): void {
  makeFolder(socketDir);
  // Inside the data folder, a wider mode is an accident (a copied or remounted volume). In a public folder it may be an
  // attack.
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
