import { writeFileSync } from "node:fs";
import { format, formatSeconds } from "../checking/describe-findings.ts";
import type { Findings } from "../checking/tally.ts";
import type { Counts } from "./outcome.ts";
import type { RunProgress } from "./read-run-progress.ts";
import type { RunFiles, RunFolder } from "./run-folder.ts";

/** What an import did: the result of the command with `--json`, and `summary.json`. */
export interface Summary {
  readonly run: string;
  readonly folder: string;
  readonly target: { readonly place: string; readonly orgId: string; readonly orgName: string };
  /** Whether every record has an outcome. */
  readonly isComplete: boolean;
  readonly outcomes: Counts;
  /** The number of imported users with each reason of a warning. */
  readonly warnings: Readonly<Record<string, number>>;
  /** Of all processes of the run. */
  readonly seconds: number;
  /** What the check found; absent if the run was complete before. */
  readonly check?: Findings | undefined;
  /** Files with the refused records. */
  readonly refused: readonly string[];
}

export function toSummary(
  { path, state }: RunFolder,
  { counts, warnings }: Pick<RunProgress, "counts" | "warnings">,
  result: { readonly isComplete: boolean; readonly findings?: Findings; readonly refused?: readonly string[] },
): Summary {
  const { run, place, orgId, orgName, ranMs } = state;
  const { isComplete, findings, refused = [] } = result;
  const target = { place, orgId, orgName };
  return {
    ...{ run, folder: path, target, isComplete, outcomes: { ...counts }, warnings: { ...warnings } },
    ...{ seconds: ranMs / 1_000, refused, check: findings },
  };
}

export function writeSummary({ summary: path }: RunFiles, summary: Summary): void {
  writeFileSync(path, `${JSON.stringify(summary, undefined, 2)}\n`, { mode: 0o600 });
}

/**
 * The summary as lines of text.
 *
 * @param undo The command that undoes the run.
 */
export function describeSummary(
  { folder, isComplete, outcomes, warnings, seconds, refused }: Summary,
  undo: string,
): string[] {
  const { imported, same, updated, differs, merged, refused: refusals, skipped } = outcomes;
  const after = seconds > 0 ? ` in ${formatSeconds(seconds)}` : "";
  return [
    isComplete
      ? `complete: ${format(imported)} users imported${after}`
      : `stopped: ${format(imported)} users imported so far${after}`,
    ...Object.entries(warnings).map(
      ([reason, count]) => `${format(count)} imported with the warning ${reason}: see report.ndjson`,
    ),
    ...(same > 0 ? [`${format(same)} existed and are the same`] : []),
    ...(updated > 0 ? [`${format(updated)} existed and were changed: see report.ndjson`] : []),
    ...(differs > 0 ? [`${format(differs)} existed and differ: see report.ndjson`] : []),
    ...(merged > 0 ? [`${format(merged)} merged into the user of another record: see report.ndjson`] : []),
    ...(refusals > 0
      ? [`${format(refusals)} refused${refused.length > 0 ? `: correct ${refused.join(", ")}, and import it` : ""}`]
      : []),
    ...(skipped > 0 ? [`${format(skipped)} skipped`] : []),
    `report: ${folder}; undo: ${undo}`,
    isComplete
      ? `${folder} may be deleted once you do not need to undo the import${refused.length > 0 ? `; ${refused.join(", ")} may contain hashes` : ""}`
      : "run the same command again to continue",
  ];
}
