import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { Source } from "../source.ts";
import type { InputRecord } from "./input-record.ts";
import { readFile } from "./read-file.ts";

/** A file to read. */
export interface InputFile {
  /** The name as it was given, for reports. */
  readonly name: string;
  readonly path: string;
}

/**
 * Reads the records of files, in order, with constant memory. See `readFile`.
 *
 * @throws ConfigError for a file that cannot be opened or has another encoding.
 */
export async function* readRecords(files: readonly InputFile[], source: Source): AsyncGenerator<InputRecord[]> {
  for (const { name, path } of files) yield* readFile({ name, open: () => openFile(path) }, source);
}

const CHUNK = 256 * 1024;

/** Opens a file for reading. A file that gzip or zstd has compressed is decompressed, whatever its name is. */
function openFile(path: string): Readable {
  const decompress = createDecompress(readStart(path));
  const file = createReadStream(path, { highWaterMark: CHUNK });
  // The callback keeps an error from being thrown; the reader of the stream gets it.
  return decompress === undefined ? file : pipeline(file, decompress, () => {});
}

/** The first bytes of both formats (RFC 1952, section 2.3.1; RFC 8878, section 3.1.1). */
function createDecompress(start: string) {
  if (start.startsWith("1f8b")) return createGunzip({ chunkSize: CHUNK });
  if (start === "28b52ffd") return createZstdDecompress({ chunkSize: CHUNK });
  return undefined;
}

/** The first four bytes in hexadecimal. */
function readStart(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(4);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0)).toString("hex");
  } finally {
    closeSync(descriptor);
  }
}
