import { closeSync, existsSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

/** A file to which lines of JSON are appended. */
export interface LineFile {
  append(value: object): void;
  /** Writes what was appended to the file, so that it survives the end of the process. */
  flush(): void;
  /** Like `flush`, but leaves an error, such as that of a full disk, to the next write: a timer could not report it. */
  tryFlush(): void;
  close(): void;
}

/** Characters that are written at once. */
const BUFFER = 64 * 1024;

/**
 * Opens a file to append lines to, with mode 0600. The end of a line that a killed process did not write completely is removed.
 *
 * @param isNew Whether an existing file is replaced.
 */
export function openLineFile(path: string, { isNew = false } = {}): LineFile {
  if (!isNew && existsSync(path)) cutLastLine(path);
  const descriptor = openSync(path, isNew ? "w" : "a", 0o600);
  let buffered: string[] = [];
  let size = 0;
  let unwritten = Buffer.alloc(0);
  const flush = () => {
    if (buffered.length > 0) unwritten = Buffer.concat([unwritten, Buffer.from(buffered.join(""))]);
    buffered = [];
    size = 0;
    // If the disk is full, a part may be written before the error: the next flush continues after it.
    while (unwritten.length > 0) unwritten = unwritten.subarray(writeSync(descriptor, unwritten));
  };
  return {
    append(value) {
      const line = `${JSON.stringify(value)}\n`;
      buffered.push(line);
      size += line.length;
      if (size > BUFFER) flush();
    },
    flush,
    tryFlush() {
      try {
        flush();
      } catch {
        // The lines are kept.
      }
    },
    close() {
      flush();
      closeSync(descriptor);
    },
  };
}

const LINE_FEED = 0x0a;

function cutLastLine(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    ftruncateSync(descriptor, readEnd(descriptor, Buffer.alloc(BUFFER)));
  } finally {
    closeSync(descriptor);
  }
}

/** The offset after the last line feed of a file. */
function readEnd(descriptor: number, block: Buffer): number {
  let end = 0;
  for (let at = 0; ; ) {
    const count = readSync(descriptor, block, 0, block.length, at);
    if (count === 0) return end;
    const last = block.subarray(0, count).lastIndexOf(LINE_FEED);
    if (last !== -1) end = at + last + 1;
    at += count;
  }
}
