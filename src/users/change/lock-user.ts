import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { throwIfOwnUser } from "./own-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Locks an active user (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, OWN_USER, USER_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export async function lockUser(parts: ChangeUserParts, { id }: { readonly id: string }, call: Call): Promise<Changed> {
  throwIfOwnUser(id, call);
  const plans = [toPlan([{ type: "user.locked", payload: {} }])];
  return await changeUser(parts, LOCK, { userId: id, plans }, call);
}

const LOCK = prepareUserChange({
  name: "lock_user",
  columns: {},
  refuse: sql`case when users.state <> 'active' then 'USER_STATE' end`,
  endsSessions: true,
  set: () => ({ state: sql.lit("locked") }),
});
