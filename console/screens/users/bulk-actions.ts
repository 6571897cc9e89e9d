import type { User } from "../../../gen/signet/v1/user_pb.js";
import type { Api } from "../../api/api.ts";
import { type Problem, toProblem } from "../../api/problem.ts";

type Management = Api["management"];

/** What can be done to several users at once, with its permission. */
export const BULK_ACTIONS = {
  lock: { permission: "user.write", run: (management, id) => management.lockUser({ id }) },
  unlock: { permission: "user.write", run: (management, id) => management.unlockUser({ id }) },
  deactivate: { permission: "user.write", run: (management, id) => management.deactivateUser({ id }) },
  reactivate: { permission: "user.write", run: (management, id) => management.reactivateUser({ id }) },
  remove: { permission: "user.delete", run: (management, id) => management.removeUser({ id }) },
} as const satisfies Record<
  string,
  { permission: string; run: (management: Management, id: string) => Promise<unknown> }
>;

export type BulkAction = keyof typeof BULK_ACTIONS;

/** What became of one user. */
export interface BulkResult {
  readonly user: User;
  /** Why the change was not made; undefined if it was. */
  readonly problem: Problem | undefined;
}

/** Calls of one person at the same time, so that the others of the organization do not wait for them. */
const AT_ONCE = 4;

/** Changes users one by one, because the API has no call for several. A failure does not stop the others. */
export async function runBulk(
  management: Management,
  action: BulkAction,
  users: readonly User[],
  onResult: (result: BulkResult) => void,
): Promise<void> {
  const waiting = [...users];
  const work = async () => {
    for (let user = waiting.shift(); user !== undefined; user = waiting.shift()) {
      onResult({ user, problem: await attempt(management, action, user) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function attempt(management: Management, action: BulkAction, { id }: User): Promise<Problem | undefined> {
  try {
    await BULK_ACTIONS[action].run(management, id);
    return undefined;
  } catch (thrown) {
    return toProblem(thrown);
  }
}
