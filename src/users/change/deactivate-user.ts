import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { throwIfOwnUser } from "./own-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Deactivates a user who is active or locked (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, OWN_USER, USER_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export async function deactivateUser(
  parts: ChangeUserParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed> {
  throwIfOwnUser(id, call);
  const plans = [toPlan([{ type: "user.deactivated", payload: {} }])];
  return await changeUser(parts, DEACTIVATE, { userId: id, plans }, call);
}

const DEACTIVATE = prepareUserChange({
  name: "deactivate_user",
  columns: {},
  refuse: sql`case when users.state = 'inactive' then 'USER_STATE' end`,
  endsSessions: true,
  set: () => ({ state: sql.lit("inactive") }),
});
