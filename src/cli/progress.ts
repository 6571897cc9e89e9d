import type { CopyProgress } from "../database/copy/copy-database.ts";

const PAUSE_MS = 5_000;

/** Prints a line for each completed table, and at most one every 5 s for the current table. */
export function createProgress(out: { write(text: string): unknown } | undefined): (progress: CopyProgress) => void {
  let last = performance.now();
  return ({ table, rows, total }) => {
    if (rows < total && performance.now() - last < PAUSE_MS) return;
    last = performance.now();
    out?.write(`${table}: ${rows} of ${total} rows\n`);
  };
}
