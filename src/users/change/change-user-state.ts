import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { activateUser, prepareActivation } from "./activate-user.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { throwIfOwnUser } from "./own-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Locks an active user (docs/reference/change-users.md).
 *
 * @throws SignetError USER_NOT_FOUND, OWN_USER, USER_STATE, LAST_OWNER, PERMISSION_DENIED, or for a failure of the
 *   database.
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

/**
 * Unlocks a locked user (docs/reference/change-users.md).
 *
 * @throws SignetError: see `activateUser`.
 */
export async function unlockUser(
  parts: ChangeUserParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed> {
  return await activateUser(parts, UNLOCK, { id, type: "user.unlocked" }, call);
}

const UNLOCK = prepareActivation("unlock_user", "locked");

/**
 * Deactivates a user who is active or locked (docs/reference/change-users.md).
 *
 * @throws SignetError USER_NOT_FOUND, OWN_USER, USER_STATE, LAST_OWNER, PERMISSION_DENIED, or for a failure of the
 *   database.
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

/**
 * Reactivates a deactivated user (docs/reference/change-users.md).
 *
 * @throws SignetError: see `activateUser`.
 */
export async function reactivateUser(
  parts: ChangeUserParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed> {
  return await activateUser(parts, REACTIVATE, { id, type: "user.reactivated" }, call);
}

const REACTIVATE = prepareActivation("reactivate_user", "inactive");
