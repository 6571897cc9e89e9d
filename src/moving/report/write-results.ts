import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { InputFile } from "../reading/read-records.ts";
import { readUsers } from "../reading/read-users.ts";
import type { Source } from "../source.ts";
import type { FinishedRecords } from "./finished-records.ts";
import { readOutcomes } from "./read-outcomes.ts";
import type { RunFiles } from "./run-folder.ts";

/** Writes the map from the ids of the source to those of the target, from the report. */
export async function writeIds(files: RunFiles): Promise<void> {
  const descriptor = openSync(files.ids, "w", 0o600);
  try {
    writeSync(descriptor, "source_id,signet_id\n");
    let lines: string[] = [];
    const flush = () => {
      if (lines.length > 0) writeSync(descriptor, lines.join(""));
      lines = [];
    };
    for await (const outcome of readOutcomes(files.report)) {
      if (!("userId" in outcome) || outcome.sourceId === undefined) continue;
      lines.push(`${quote(outcome.sourceId)},${outcome.userId}\n`);
      if (lines.length >= 1_000) flush();
    }
    flush();
  } finally {
    closeSync(descriptor);
  }
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Writes files with only the refused records, to be corrected and imported: `refused.ndjson` and `refused.csv`, whichever are
 * needed. Lines are as they are in the export, and records of a JSON document are lines of NDJSON.
 *
 * @returns The paths.
 */
export async function writeRefused(
  folder: string,
  inputs: readonly InputFile[],
  source: Source,
  finished: FinishedRecords,
): Promise<string[]> {
  const opened = new Map<string, number>();
  const write = (path: string, lines: readonly (Uint8Array | string)[]) => {
    const descriptor = opened.get(path) ?? openSync(path, "w", 0o600);
    opened.set(path, descriptor);
    writeSync(descriptor, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), LINE_FEED])));
  };
  let n = -1;
  try {
    for await (const records of readUsers(inputs, source)) {
      for (const { value, raw, csv } of records) {
        n += 1;
        if (finished.get(n) !== "refused") continue;
        const path = join(folder, csv === undefined ? "refused.ndjson" : "refused.csv");
        if (csv?.header !== undefined && !opened.has(path)) write(path, [csv.header]);
        // A line that is too long was never in memory.
        const text = raw ?? (value === undefined ? undefined : JSON.stringify(value));
        if (text !== undefined) write(path, [text]);
      }
    }
  } finally {
    for (const descriptor of opened.values()) closeSync(descriptor);
  }
  return [...opened.keys()];
}

const LINE_FEED = Buffer.from("\n");
