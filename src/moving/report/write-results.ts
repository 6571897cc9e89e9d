import { closeSync, openSync, writeSync, writevSync } from "node:fs";
import { join } from "node:path";
import type { Input } from "../reading/read-users.ts";
import type { Source } from "../source.ts";
import type { FinishedRecords } from "./finished-records.ts";
import { readOutcomes } from "./read-outcomes.ts";
import { readRefused } from "./read-refused.ts";
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
      if (!("userId" in outcome) || outcome.userId === undefined || outcome.sourceId === undefined) continue;
      lines.push(`${toCell(outcome.sourceId)},${outcome.userId}\n`);
      if (lines.length >= 1_000) flush();
    }
    flush();
  } finally {
    closeSync(descriptor);
  }
}

/** What a spreadsheet takes as the beginning of a formula (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A cell of a CSV. An apostrophe before a formula makes it text. */
function toCell(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/**
 * Writes files with only the refused records, to be corrected and imported: `refused.ndjson` and `refused.csv`, whichever are
 * needed.
 *
 * @returns The paths.
 */
export async function writeRefused(
  folder: string,
  input: Input,
  source: Source,
  finished: FinishedRecords,
): Promise<string[]> {
  const opened = new Map<string, number>();
  try {
    for await (const { format, lines } of readRefused(input, source, finished)) {
      const path = join(folder, `refused.${format}`);
      const descriptor = opened.get(path) ?? openSync(path, "w", 0o600);
      opened.set(path, descriptor);
      writevSync(
        descriptor,
        lines.flatMap((line) => [line, LINE_FEED]),
      );
    }
  } finally {
    for (const descriptor of opened.values()) closeSync(descriptor);
  }
  return [...opened.keys()];
}

const LINE_FEED = Uint8Array.of(0x0a);
