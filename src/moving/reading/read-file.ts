import { ConfigError } from "../../config/config-error.ts";
import type { Source } from "../source.ts";
import type { InputRecord } from "./input-record.ts";
import { readCsv } from "./read-csv.ts";
import { readJson } from "./read-json.ts";
import { readLdif } from "./read-ldif.ts";
import { readNdjson } from "./read-ndjson.ts";

/** A file of an export. */
interface OpenableFile {
  /** The name as it was given, for reports. */
  readonly name: string;
  /** Opens the file at its beginning, decompressed. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Reads the records of a file with constant memory. A file that cannot be read to its end, such as a truncated archive, ends with a
 * record that has a `problem`.
 *
 * @throws ConfigError for a file that cannot be opened or has another encoding.
 */
export async function* readFile({ name, open }: OpenableFile, source: Source): AsyncGenerator<InputRecord[]> {
  let line = 0;
  try {
    const raw = await peek(open());
    const encoding = findUtf16(raw.start);
    const { start, chunks } = encoding === undefined ? raw : await peek(toUtf8(raw.chunks, encoding));
    for await (const records of readFormat(name, chunks, start, source)) {
      line = records.at(-1)?.line ?? line;
      yield records;
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code, message } = error as Error & { readonly code?: unknown };
    if (typeof code === "string" && CANNOT_OPEN.has(code)) throw new ConfigError(`cannot read ${name}: ${message}`);
    yield [{ file: name, line: line + 1, problem: `cannot be read, nor anything after it: ${message}` }];
  }
}

/** Codes of errors of Node for a path that is not a readable file. */
const CANNOT_OPEN: ReadonlySet<string> = new Set(["ENOENT", "EACCES", "EISDIR"]);

function readFormat(name: string, chunks: AsyncIterable<Uint8Array>, start: Uint8Array, source: Source) {
  const { arrays, csvColumns, isLdif } = source;
  if (isLdif) return readLdif(name, chunks);
  switch (findFormat(name, start, arrays)) {
    case "array":
      return readJson(name, chunks, pathsInArray(arrays));
    case "object":
      return readJson(
        name,
        chunks,
        arrays.filter((path) => path.length > 0),
      );
    case "ndjson":
      return readNdjson(name, chunks);
    case "csv":
      return readCsv(name, chunks, csvColumns);
  }
}

/** The paths in a document that is an array; by default, its items are the records. */
function pathsInArray(arrays: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const paths = arrays.filter(([first]) => first === undefined || first === "*");
  return paths.length > 0 ? paths : [[]];
}

/** Finds the format by the first characters: JSON begins with a bracket or brace, and CSV with the name of a column. */
function findFormat(
  name: string,
  start: Uint8Array,
  arrays: readonly (readonly string[])[],
): "array" | "object" | "ndjson" | "csv" {
  // Without a byte order mark.
  const text = new TextDecoder().decode(start).trimStart();
  if (/\.csv(\.(gz|zst))?$/i.test(name)) return "csv";
  if (text === "") return "ndjson";
  if (text.startsWith("[")) return "array";
  if (!text.startsWith("{")) return /^[^\n]*[,;\t|]/.test(text) && !text.startsWith('{"') ? "csv" : "ndjson";
  const hasPath = arrays.some((path) => path.length > 0);
  if (!hasPath || /\.(ndjson|jsonl)(\.(gz|zst))?$/i.test(name)) return "ndjson";
  return isRecordLine(text, arrays) ? "ndjson" : "object";
}

/** Whether the first line is an object of its own, without the arrays of a document. */
function isRecordLine(text: string, arrays: readonly (readonly string[])[]): boolean {
  const [line = "", ...others] = text.split("\n");
  try {
    const value = JSON.parse(line);
    return !arrays.some(([key]) => key !== undefined && key in value);
  } catch {
    // A line that is longer than what was read here, or the first of a formatted document.
    return others.length === 0 && !arrays.some(([key]) => key !== undefined && line.includes(JSON.stringify(key)));
  }
}

/** The encoding that a byte order mark says, as spreadsheets write it for "Unicode text". */
function findUtf16([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

async function* toUtf8(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) {
    const bytes = encoder.encode(decoder.decode(chunk, { stream: true }));
    if (bytes.length > 0) yield bytes;
  }
}

/** Bytes that decide about the format. */
const START = 64 * 1024;

/** Reads the first chunk, and returns all chunks again. */
async function peek(bytes: AsyncIterable<Uint8Array>) {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { start: first.done ? new Uint8Array() : first.value.subarray(0, START), chunks: all() };
}
