import { createFinishedRecords, type FinishedRecords } from "../../../src/moving/report/finished-records.ts";
import { type Counts, countWarnings, noCounts, type Outcome } from "../../../src/moving/report/outcome.ts";

/** What became of the records of an import, in memory. */
export interface Report {
  readonly outcomes: readonly Outcome[];
  readonly counts: Counts;
  /** The number of users with each reason of a warning. */
  readonly warnings: Readonly<Record<string, number>>;
  /** Those of this round. */
  readonly finished: FinishedRecords;
  add(outcome: Outcome): void;
  /** The outcomes as NDJSON, in the order of the records, as in `report.ndjson` of the command. */
  toFile(name: string): File;
}

/** @param earlier That of an earlier round, whose refused records are imported again. */
export function createReport(earlier?: Report): Report {
  const outcomes = earlier?.outcomes.filter(({ outcome }) => outcome !== "refused") ?? [];
  const counts = { ...(earlier?.counts ?? noCounts()), refused: 0 };
  const warnings = { ...earlier?.warnings };
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
      // A later round has its records in a file of its own, and counts them anew.
      const order = [...new Set(outcomes.map(({ file }) => file))];
      const lines = outcomes
        .toSorted((one, other) => order.indexOf(one.file) - order.indexOf(other.file) || one.n - other.n)
        .map((each) => `${JSON.stringify(each)}\n`);
      return new File(lines, name, { type: "application/x-ndjson" });
    },
  };
}

/** The number of records. */
export function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
