import { sql } from "kysely";
import { prepareActivation } from "./activate-user.ts";
import { prepareUserOperation } from "./prepare-user-operation.ts";
import { throwIfOwnUser } from "./protected-user.ts";

/**
 * Locks an active user (docs/reference/change-users.md).
 *
 * @throws SignetError USER_NOT_FOUND, OWN_USER, USER_STATE, LAST_OWNER, PERMISSION_DENIED, or for a failure of the
 *   database.
 */
export const lockUser = prepareUserOperation<{ readonly id: string }>({
  name: "lock_user",
  check: throwIfOwnUser,
  toEvents: () => [{ type: "user.locked", payload: {} }],
  refuse: sql`case when users.state <> 'active' then 'USER_STATE' end`,
  endsSessions: true,
  set: () => ({ state: sql.lit("locked") }),
});

/** Unlocks a locked user (docs/reference/change-users.md). @throws SignetError: see `prepareActivation`. */
export const unlockUser = prepareActivation("unlock_user", { from: "locked", type: "user.unlocked" });

/**
 * Deactivates a user who is active or locked (docs/reference/change-users.md).
 *
 * @throws SignetError as `lockUser`.
 */
export const deactivateUser = prepareUserOperation<{ readonly id: string }>({
  name: "deactivate_user",
  check: throwIfOwnUser,
  toEvents: () => [{ type: "user.deactivated", payload: {} }],
  refuse: sql`case when users.state = 'inactive' then 'USER_STATE' end`,
  endsSessions: true,
  set: () => ({ state: sql.lit("inactive") }),
});

/** Reactivates a deactivated user (docs/reference/change-users.md). @throws SignetError: see `prepareActivation`. */
export const reactivateUser = prepareActivation("reactivate_user", { from: "inactive", type: "user.reactivated" });
