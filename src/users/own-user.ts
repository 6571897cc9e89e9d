import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";

/**
 * Rejects a call that would end the caller's own access, usually by mistake. As a consequence, only another instance
 * owner can remove an instance owner.
 *
 * @throws SignetError OWN_USER.
 */
export function throwIfOwnUser(userId: string, call: Call): void {
  if (userId.toLowerCase() !== call.userId) return;
  throw new SignetError("OWN_USER", "id: callers cannot remove, deactivate or lock themselves");
}
