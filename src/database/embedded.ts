import { createHash } from "node:crypto";
import { chmodSync, lstatSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { makeFolder } from "../files.ts";
import type { WorkerInput, WorkerMessage } from "./embedded-worker.ts";

/** The embedded database, while it runs. */
export interface Embedded {
  /** `pg` connects with `{host: socketDir, port: 5432, user: "postgres", database: "postgres"}`. */
  readonly socketDir: string;
  /** Resolves, never rejects, if the database ends without having been closed; all its connections have ended then. */
  readonly died: Promise<Error>;
  /** Ends all connections, rolls back what they left open, and resolves when the data is closed. */
  close(): Promise<void>;
}

/** The name under which PostgreSQL's clients look for port 5432 in a folder. */
const SOCKET_NAME = ".s.PGSQL.5432";
/** sockaddr_un.sun_path, less its terminating zero. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;
/**
 * With a thread's 4 MiB, deep recursion (a sum of 20,000 terms, nested JSON) overran the stack before PostgreSQL's own
 * max_stack_depth and killed the database. With 64 each such statement ended in an ordinary error.
 */
const STACK_MB = 64;

/**
 * Starts PostgreSQL in a thread of its own, with its data under `<dataDir>/db`, reached by a Unix socket in a folder
 * that only this user can enter. The caller holds the folder's lock (`data-lock.ts`) from before until after.
 *
 * It is one session behind all connections: see `wire-server.ts`. It survives being killed, but not a power cut, since
 * it does not wait for the disk.
 */
export async function startEmbedded(dataDir: string): Promise<Embedded> {
  makeFolder(dataDir);
  const socketDir = embeddedAddress(dataDir);
  const socketPath = join(socketDir, SOCKET_NAME);
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`path too long for a socket: ${socketPath}`);
  prepareSocketDir(socketDir, dataDir);
  rmSync(socketPath, { force: true });

  const input: WorkerInput = { databaseDir: join(resolve(dataDir), "db"), socketPath };
  const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), {
    workerData: input,
    resourceLimits: { stackSizeMb: STACK_MB },
    // Neither the process's secrets nor its flags are the database's business, nor is its output anybody's.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();

  let isClosing = false;
  let reason = "it ended unexpectedly";
  const exited = new Promise<void>((done) => worker.once("exit", () => done()));
  const died = Promise.withResolvers<Error>();
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
    if (!isClosing) died.resolve(error);
  });

  await ready.promise;
  return {
    socketDir,
    died: died.promise,
    async close() {
      if (!isClosing) worker.postMessage("close");
      isClosing = true;
      await exited;
    },
  };
}

/**
 * The folder of the socket for this data folder, whether or not a server runs: `<dataDir>/socket`, or, where the
 * system allows no path as long as that, one under the system's temporary folder.
 */
export function embeddedAddress(dataDir: string): string {
  const inside = join(resolve(dataDir), "socket");
  if (Buffer.byteLength(join(inside, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES) return inside;
  const hash = createHash("sha256")
    .update(`${process.getuid?.()}:${resolve(dataDir)}`)
    .digest("hex");
  return join(tmpdir(), `signet-${hash.slice(0, 20)}`);
}

/** The folder's mode is the only thing between the database and other users: it asks for no password. */
function prepareSocketDir(socketDir: string, dataDir: string): void {
  makeFolder(socketDir);
  // In a folder of ours a wider mode is an accident (a copied or re-mounted volume). In a public one it is an attack.
  const isOurs = isInside(socketDir, dataDir);
  const found = lstatSync(socketDir);
  if (isOurs && found.isDirectory() && found.uid === process.getuid?.()) chmodSync(socketDir, 0o700);
  else if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new Error(`${socketDir} must be a folder of this user with mode 0700`);
  }
}

function isInside(socketDir: string, dataDir: string): boolean {
  return socketDir === join(resolve(dataDir), "socket");
}
