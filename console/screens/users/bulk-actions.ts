import type { User } from "../../../gen/signet/v1/user_pb.js";
import { type Api, inOrg } from "../../api/api.ts";
import { type Problem, toProblem } from "../../api/problem.ts";

/** What can be done to several users at once, with its permission. */
export const BULK_ACTIONS = {
  lock: { permission: "user.write", run: (api, id, call) => api.management.lockUser({ id }, call) },
  unlock: { permission: "user.write", run: (api, id, call) => api.management.unlockUser({ id }, call) },
  deactivate: { permission: "user.write", run: (api, id, call) => api.management.deactivateUser({ id }, call) },
  reactivate: { permission: "user.write", run: (api, id, call) => api.management.reactivateUser({ id }, call) },
  remove: { permission: "user.delete", run: (api, id, call) => api.management.removeUser({ id }, call) },
} as const satisfies Record<
  string,
  { permission: string; run: (api: Api, id: string, call: ReturnType<typeof inOrg>) => Promise<unknown> }
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
  api: Api,
  orgId: string,
  action: BulkAction,
  users: readonly User[],
  onResult: (result: BulkResult) => void,
): Promise<void> {
  const waiting = [...users];
  const work = async () => {
    for (let user = waiting.shift(); user !== undefined; user = waiting.shift()) {
      onResult({ user, problem: await attempt(api, orgId, action, user) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function attempt(api: Api, orgId: string, action: BulkAction, { id }: User): Promise<Problem | undefined> {
  try {
    await BULK_ACTIONS[action].run(api, id, inOrg(orgId));
    return undefined;
  } catch (thrown) {
    return toProblem(thrown);
  }
}
