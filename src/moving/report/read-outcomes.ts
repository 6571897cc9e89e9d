import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Outcome } from "./outcome.ts";

/** Reads a file of outcomes; none if there is no file. */
export async function* readOutcomes(path: string): AsyncGenerator<Outcome> {
  if (!existsSync(path)) return;
  const lines = createInterface({ input: createReadStream(path, { highWaterMark: 256 * 1024 }), crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.endsWith("}")) yield JSON.parse(line) as Outcome;
  }
}
