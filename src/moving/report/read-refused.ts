import { type Input, readUsers } from "../reading/read-users.ts";
import type { Source } from "../source.ts";
import type { FinishedRecords } from "./finished-records.ts";

/** Lines of a file of refused records, without their ends. */
interface RefusedLines {
  readonly format: "ndjson" | "csv";
  readonly lines: readonly Uint8Array[];
}

/**
 * Reads the refused records, to be corrected and imported. Lines are as they are in the export, after the header of a CSV, and records
 * of a JSON document are lines of NDJSON.
 */
export async function* readRefused(
  input: Input,
  source: Source,
  finished: FinishedRecords,
): AsyncGenerator<RefusedLines> {
  let hasHeader = false;
  let n = -1;
  for await (const records of readUsers(input, source)) {
    for (const { value, raw, csv } of records) {
      n += 1;
      if (finished.get(n) !== "refused") continue;
      // A line that is too long was never in memory.
      const line = raw ?? (value === undefined ? undefined : new TextEncoder().encode(JSON.stringify(value)));
      const header = hasHeader ? undefined : csv?.header;
      if (header !== undefined) hasHeader = true;
      const lines = [header, line].filter((each) => each !== undefined);
      if (lines.length > 0) yield { format: csv === undefined ? "ndjson" : "csv", lines };
    }
  }
}
