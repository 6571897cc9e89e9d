import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** Writes a new file of mode 0600: it is on the disk when this returns. */
export function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes sure that the names in a folder are on the disk, after one was made or changed. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a file; undefined where there is none. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether an error is one of the system with this code, such as `ENOENT`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}
