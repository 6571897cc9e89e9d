import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Reactivates a deactivated user (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, USER_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export async function reactivateUser(
  parts: ChangeUserParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.reactivated", payload: {} }])];
  return await changeUser(parts, REACTIVATE, { userId: id, plans }, call);
}

const REACTIVATE = prepareUserChange({
  name: "reactivate_user",
  columns: {},
  refuse: sql`case when users.state <> 'inactive' then 'USER_STATE' end`,
  set: () => ({ state: sql.lit("active") }),
});
