import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";

/**
 * Refuses a call that would end the caller's own access, mostly by mistake. An instance owner can therefore be removed by
 * another one only.
 *
 * @throws SignetError OWN_USER.
 */
export function throwIfOwnUser(userId: string, call: Call): void {
  if (userId.toLowerCase() !== call.userId) return;
  throw new SignetError("OWN_USER", "id: is the caller's own user, who cannot be removed, deactivated or locked");
}
