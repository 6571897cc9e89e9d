import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Unlocks a locked user (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, USER_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export async function unlockUser(
  parts: ChangeUserParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.unlocked", payload: {} }])];
  return await changeUser(parts, UNLOCK, { userId: id, plans }, call);
}

const UNLOCK = prepareUserChange({
  name: "unlock_user",
  columns: {},
  refuse: sql`case when users.state <> 'locked' then 'USER_STATE' end`,
  set: () => ({ state: sql.lit("active") }),
});
