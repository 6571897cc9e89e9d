import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import type { Failure } from "../read-failure.ts";
import type { UpdateJournal } from "../report/update-journal.ts";
import { uniqueBy } from "../unique-by.ts";
import type { WorkIndex } from "../work-index.ts";
import { applyChanges } from "./apply-changes.ts";
import { callPatiently, isFailure, type Patience } from "./call-patiently.ts";
import { findPlan } from "./checked-plans.ts";
import { type PlanParts, planUpdate, type UpdatePlan } from "./plan-update.ts";

/** What updates of users need, with `--update`. */
export interface UpdateParts extends Omit<PlanParts, "api"> {
  readonly journal: UpdateJournal;
  /** Has the plans of the check. */
  readonly index: WorkIndex;
}

interface UpdateUserParts extends UpdateParts {
  readonly api: PlanParts["api"];
  readonly patience: Patience;
  /** Of the run. */
  readonly key: string;
}

/**
 * Changes a user whom an import has made to what the export says. The journal has the earlier values before the first call, so that
 * an undo has them wherever the process is killed.
 *
 * @returns What was changed, also by an earlier process of this run; or why it is refused.
 */
export async function updateUser(
  parts: UpdateUserParts,
  user: User,
  orgId: string,
  { n, request }: { readonly n: number; readonly request: ImportHumanUserRequest },
): Promise<UpdatePlan | Failure> {
  const { patience, journal, index } = parts;
  const checked = findPlan(index, n, user);
  const plan = checked ?? (await callPatiently(patience, () => planUpdate(parts, user, request, orgId)));
  if (isFailure(plan)) return plan;
  const earlier = journal.findEarlier(n);
  const changes = uniqueBy([...earlier, ...plan.changes], ({ field }) => field);
  if (plan.changes.length > 0) {
    // Those that the earlier process did not make are in the journal already.
    if (changes.length > earlier.length) {
      journal.note({ n, userId: user.id, orgId, changes: changes.slice(earlier.length) });
    }
    const failure = await applyChanges(parts, user, orgId, plan.changes, plan.changesName);
    if (failure !== undefined) return failure;
  }
  return { ...plan, changes };
}
