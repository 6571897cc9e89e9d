import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder of mode 0700, and the folders above it, where they do not exist.
 *
 * Not `mkdirSync` with `recursive`: on Node 24.21 it never returns for a folder below `/proc`, which exists and in which
 * none can be created (ENOENT).
 */
export function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST") || !statSync(folder).isDirectory()) throw error;
  }
}

/** Writes a new file of mode 0600 and waits until it is on the disk. */
export function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until the names in a folder are on the disk, after one was added or changed. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the text of a file; undefined where there is none. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether an error is a system error with this code, such as `ENOENT`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}
