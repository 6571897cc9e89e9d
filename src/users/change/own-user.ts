import type { Actor } from "../../actor.ts";
import { SignetError } from "../../errors.ts";

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
