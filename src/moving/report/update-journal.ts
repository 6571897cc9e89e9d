import type { FieldChange } from "../running/stored-values.ts";
import { openLineFile } from "./append-lines.ts";
import type { FinishedRecords } from "./finished-records.ts";
import { readLines } from "./read-outcomes.ts";

/** A line of `updates.ndjson`: what is about to be changed of a user. */
export interface UpdateLine {
  /** The number of the record. */
  readonly n: number;
  readonly userId: string;
  readonly orgId: string;
  readonly changes: readonly FieldChange[];
}

/** Notes changes of users before they are made, with the earlier values. */
export interface UpdateJournal {
  /** Writes the line to the file before it returns. */
  note(line: UpdateLine): void;
  /** What an earlier process has noted for a record without an outcome. */
  findEarlier(n: number): readonly FieldChange[];
  close(): void;
}

/** Opens the journal of a run. Only lines of records without an outcome, of which there are few, are in memory. */
export async function openUpdateJournal(path: string, finished: FinishedRecords): Promise<UpdateJournal> {
  const earlier = new Map<number, FieldChange[]>();
  for await (const { n, changes } of readLines<UpdateLine>(path)) {
    if (finished.get(n) === undefined) earlier.set(n, [...(earlier.get(n) ?? []), ...changes]);
  }
  const file = openLineFile(path);
  return {
    note(line) {
      file.append(line);
      file.flush();
    },
    findEarlier: (n) => earlier.get(n) ?? [],
    close: file.close,
  };
}
