import type { ScimRequest } from "../../../gen/signet/v1/scim_pb.js";

/** What the latest requests of a trial would have done. */
interface TrialCounts {
  readonly add: number;
  readonly change: number;
  readonly deactivate: number;
  readonly remove: number;
  readonly keep: number;
  readonly failed: number;
}

const WOULD: Readonly<Record<string, keyof TrialCounts>> = {
  "would add": "add",
  "would change": "change",
  "would deactivate": "deactivate",
  "would remove": "remove",
  "would leave unchanged": "keep",
};

/** The outcomes of changes that were made. */
const MADE: readonly string[] = ["added", "changed", "deactivated", "removed", "unchanged"];

/** @param requests The newest first. Those before the latest change that was made do not belong to the trial. */
export function countTrial(requests: readonly Pick<ScimRequest, "outcome" | "status">[]): TrialCounts {
  const counts = { add: 0, change: 0, deactivate: 0, remove: 0, keep: 0, failed: 0 };
  for (const { outcome, status } of requests) {
    if (MADE.includes(outcome)) break;
    const name = status >= 400 ? "failed" : WOULD[outcome];
    if (name !== undefined) counts[name]++;
  }
  return counts;
}
