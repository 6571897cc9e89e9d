import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hasErrorCode, makeFolder } from "../files.ts";

/** An exclusive lock on a data folder, held until `release`, process exit, or garbage collection of this object. */
export interface DataLock {
  release(): void;
}

/** SQLite's result code if another connection holds the lock (https://www.sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

/**
 * Locks the data folder, creating it with mode 0700 if it does not exist. Returns undefined if the lock is already
 * held, by another process or by this one.
 *
 * The lock is an exclusive SQLite transaction, which uses an operating system lock, so a killed process cannot leave it
 * behind. Nothing else may open `<dataDir>/lock`, because closing any descriptor of a file releases the POSIX locks of
 * this process on it. Therefore, the holder's pid is in a separate file.
 */
export function lockDataDir(dataDir: string): DataLock | undefined {
  makeFolder(dataDir);
  const file = join(dataDir, "lock");
  // Any user that can read the file could lock it and prevent the server from starting. SQLite creates its journal with
  // the mode of the file.
  makePrivate(file);
  const database = new DatabaseSync(file);
  try {
    database.exec("begin exclusive");
    makePrivate(pidFile(dataDir));
    writeFileSync(pidFile(dataDir), `${process.pid}\n`);
  } catch (error) {
    database.close();
    if ((error as { errcode?: unknown }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return {
    release() {
      if (!database.isOpen) return;
      rmSync(pidFile(dataDir), { force: true });
      database.close();
    },
  };
}

/**
 * Returns the pid of the lock's holder, for an error message. Only valid right after `lockDataDir` returned undefined.
 */
export function lockHolder(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFile(dataDir), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** Creates a file with mode 0600, or changes the mode of an existing one, without opening it. */
function makePrivate(file: string): void {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    chmodSync(file, 0o600);
  }
}

function pidFile(dataDir: string): string {
  return join(dataDir, "pid");
}
