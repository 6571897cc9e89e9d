import { closeSync, createReadStream, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Outcome } from "./outcome.ts";

/** Reads a file of outcomes; none if there is no file. */
export const readOutcomes = readLines<Outcome>;

/** Reads a file of lines of JSON; none if there is no file. A last line that a killed process did not write completely is left out. */
export async function* readLines<Line>(path: string): AsyncGenerator<Line> {
  if (!existsSync(path)) return;
  const lines = createInterface({ input: createReadStream(path, { highWaterMark: 256 * 1024 }), crlfDelay: Infinity });
  let last: string | undefined;
  for await (const line of lines) {
    if (last !== undefined) yield JSON.parse(last);
    last = line;
  }
  if (last !== undefined && endsInLineFeed(path)) yield JSON.parse(last);
}

/** Without it, `openLineFile` removes the last line, even if only the line feed is missing. */
function endsInLineFeed(path: string): boolean {
  const descriptor = openSync(path, "r");
  try {
    const byte = Buffer.alloc(1);
    readSync(descriptor, byte, 0, 1, fstatSync(descriptor).size - 1);
    return byte.toString() === "\n";
  } finally {
    closeSync(descriptor);
  }
}
