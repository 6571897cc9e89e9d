import { sql } from "kysely";
import { type Actor, isAllowed } from "../../actor.ts";
import { SignetError } from "../../errors.ts";

/** Whether an actor may change users with roles (docs/decisions.md). */
export interface MayChange {
  /** Users with a role in the organization. */
  readonly mayChangeMembers: boolean;
  /** Users with any other role. */
  readonly mayChangeAllMembers: boolean;
}

/** @param userId The user to be changed, in lowercase. */
export function mayChange(actor: Actor, userId: string): MayChange {
  return {
    mayChangeMembers: isAllowed(actor, "org.member.write", userId),
    mayChangeAllMembers: isAllowed(actor, "iam.member.write", userId),
  };
}

/** Whether the user in `users` has a role that the caller in `given` may not change. */
export const isProtected = sql<boolean>`exists (
  select from members where members.user_org_id = users.org_id and members.user_id = users.id
    and not case when members.scope_id = given."ownerId" then given."mayChangeMembers"
      else given."mayChangeAllMembers" end)`;

export function userProtected(): SignetError {
  return new SignetError(
    "PERMISSION_DENIED",
    "the user has a role, and the caller may not change users with that role",
  );
}

/**
 * Rejects a call that would end the caller's own access, usually by mistake. As a consequence, only another instance
 * owner can remove an instance owner.
 *
 * @throws SignetError OWN_USER.
 */
export function throwIfOwnUser(userId: string, actor: Actor): void {
  if (userId.toLowerCase() !== actor.userId) return;
  throw new SignetError("OWN_USER", "id: callers cannot remove, deactivate or lock themselves");
}
