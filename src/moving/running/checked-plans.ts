import type { User } from "../../../gen/signet/v1/user_pb.js";
import type { WorkIndex } from "../work-index.ts";
import type { UpdatePlan } from "./plan-update.ts";

interface CheckedPlan {
  /** That of the user. */
  readonly sequence: string;
  readonly plan: UpdatePlan;
}

const KIND = "plan";

/** Keeps what an update will change of a user for the run, which then needs no call to find it again. */
export function keepPlan(index: WorkIndex, n: number, { details }: User, plan: UpdatePlan): void {
  const checked: CheckedPlan = { sequence: String(details?.sequence), plan };
  index.addValues(KIND, n, JSON.stringify(checked));
}

/** Finds the plan of the check; undefined if the user has changed since, or the check has none. */
export function findPlan(index: WorkIndex, n: number, { details }: User): UpdatePlan | undefined {
  const [text] = index.findValues(KIND, n);
  if (text === undefined) return undefined;
  const { sequence, plan }: CheckedPlan = JSON.parse(text);
  return sequence === String(details?.sequence) ? plan : undefined;
}
