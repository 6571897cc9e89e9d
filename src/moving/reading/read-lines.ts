import { concatBytes } from "./concat-bytes.ts";
import { withoutMark } from "./decode.ts";
import { LONGEST_RECORD } from "./input-record.ts";

/** A line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the end of the line, and without a byte order mark. Undefined if the line is longer than a record may be. */
  readonly bytes: Uint8Array | undefined;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Splits a file into lines that end with LF or CRLF. Yields the lines of each chunk together.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      keep(chunk.subarray(from, end));
      lines.push(take());
      from = end + 1;
    }
    keep(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [take()];

  /** Keeps a part of the current line, unless the line is already too long. */
  function keep(part: Uint8Array): void {
    length += part.length;
    if (length > LONGEST_RECORD) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function take(): Line {
    number += 1;
    const bytes = length > LONGEST_RECORD ? undefined : join(parts);
    parts = [];
    length = 0;
    return { number, bytes: bytes && number === 1 ? withoutMark(bytes) : bytes };
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [only = new Uint8Array()] = parts;
  const bytes = parts.length > 1 ? concatBytes(parts) : only;
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
