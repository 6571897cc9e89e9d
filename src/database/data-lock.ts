import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "../files.ts";

/** The right to use a data folder. It ends with `release`, with the process, or when the object is no longer referenced. */
export interface DataLock {
  release(): void;
}

/** What SQLite answers when another connection holds the lock (https://www.sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

/**
 * Takes the data folder for this process, creating it with mode 0700 if need be; undefined while another live process,
 * or another lock of this one, holds it.
 *
 * The lock is an exclusive SQLite transaction, so a lock of the operating system: a killed process cannot leave it
 * behind. Nothing else may open `<dataDir>/lock`: closing any descriptor of a file gives up this process's POSIX locks
 * on it, which is why the holder's pid has a file of its own.
 */
export function lockDataDir(dataDir: string): DataLock | undefined {
  makeFolder(dataDir);
  const file = join(dataDir, "lock");
  const database = new DatabaseSync(file);
  try {
    database.exec("begin exclusive");
    // Who can read the file can lock it, and could so keep the server from starting.
    chmodSync(file, 0o600);
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

/** The process that holds the folder, for a message; meaningful only right after `lockDataDir` was refused. */
export function lockHolder(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFile(dataDir), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

function pidFile(dataDir: string): string {
  return join(dataDir, "pid");
}
