import { createFinishedRecords, type FinishedRecords } from "../../../src/moving/report/finished-records.ts";
import { type Counts, countWarnings, noCounts, type Outcome } from "../../../src/moving/report/outcome.ts";

/** What became of the records of an import, in memory. */
export interface Report {
  readonly outcomes: readonly Outcome[];
  readonly counts: Counts;
  /** The number of users with each reason of a warning. */
  readonly warnings: Readonly<Record<string, number>>;
  readonly finished: FinishedRecords;
  add(outcome: Outcome): void;
  /** The outcomes as NDJSON, in the order of the records, as in `report.ndjson` of the command. */
  toFile(name: string): File;
}

export function createReport(): Report {
  const outcomes: Outcome[] = [];
  const counts = noCounts();
  const warnings: Record<string, number> = {};
  const finished = createFinishedRecords();
  return {
    outcomes,
    counts,
    warnings,
    finished,
    add(outcome) {
      outcomes.push(outcome);
      counts[outcome.outcome] += 1;
      countWarnings(warnings, outcome);
      finished.set(outcome.n, outcome.outcome === "refused" ? "refused" : "done");
    },
    toFile(name) {
      const lines = outcomes.toSorted((one, other) => one.n - other.n).map((each) => `${JSON.stringify(each)}\n`);
      return new File(lines, name, { type: "application/x-ndjson" });
    },
  };
}
