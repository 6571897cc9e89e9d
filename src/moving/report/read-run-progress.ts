import { createFinishedRecords, type FinishedRecords } from "./finished-records.ts";
import { type Counts, countWarnings, noCounts, type Outcome } from "./outcome.ts";
import { readOutcomes } from "./read-outcomes.ts";
import type { RunFiles } from "./run-folder.ts";

/** How far a run has come. */
export interface RunProgress {
  readonly finished: FinishedRecords;
  readonly counts: Counts;
  /** The number of users with each reason of a warning. */
  readonly warnings: Record<string, number>;
  /** Records below this number may have been sent by an earlier process, which did not see the response. */
  readonly maybeSent: number;
}

/** Reads how far earlier processes have brought a run. */
export async function readRunProgress(files: RunFiles): Promise<RunProgress> {
  const finished = createFinishedRecords();
  const counts = noCounts();
  const warnings: Record<string, number> = {};
  for await (const outcome of readOutcomes(files.report)) {
    // A process that was killed between a response and the report may have made the next one repeat a record.
    if (finished.get(outcome.n) === undefined) addOutcome({ finished, counts, warnings }, outcome);
  }
  let maybeSent = 0;
  for await (const line of readOutcomes(files.sent)) maybeSent = Math.max(maybeSent, line.n);
  return { finished, counts, warnings, maybeSent };
}

export function addOutcome(progress: Omit<RunProgress, "maybeSent">, outcome: Outcome): void {
  progress.finished.set(outcome.n, outcome.outcome === "refused" ? "refused" : "done");
  progress.counts[outcome.outcome] += 1;
  countWarnings(progress.warnings, outcome);
}
