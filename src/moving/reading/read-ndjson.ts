import { decode, NOT_UTF8 } from "./decode.ts";
import { type InputRecord, TOO_LONG, toValue } from "./input-record.ts";
import { type Line, readLines } from "./read-lines.ts";

/** Reads a file with one JSON object per line. Empty lines are no records. */
export async function* readNdjson(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InputRecord[]> {
  for await (const lines of readLines(chunks)) {
    yield lines.flatMap((line) => (isEmpty(line) ? [] : { file, line: line.number, ...readLine(line) }));
  }
}

function isEmpty({ bytes }: Line): boolean {
  // Most lines begin with a brace, so this looks at one byte.
  return bytes?.every((byte) => byte === 0x20 || byte === 0x09) ?? false;
}

function readLine({ bytes }: Line): Pick<InputRecord, "value" | "problem" | "raw"> {
  if (bytes === undefined) return { problem: TOO_LONG };
  const text = decode(bytes);
  if (text === undefined) return { problem: NOT_UTF8, raw: bytes };
  try {
    return { ...toValue(JSON.parse(text)), raw: bytes };
  } catch {
    // The message of the error quotes the line, which may contain a hash.
    return { problem: "is not valid JSON", raw: bytes };
  }
}
