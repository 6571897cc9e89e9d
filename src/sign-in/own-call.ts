import type { Call, Caller } from "../call.ts";

/**
 * The call of an operation by which a person changes their own user on a page. No role is needed for it.
 *
 * @param keptSession The browser's session, if there is one: it is kept when the operation ends the user's sessions.
 */
export function toOwnCall(
  user: { readonly id: string; readonly orgId: string },
  caller: Caller,
  keptSession?: string,
): Call {
  return { ...caller, userId: user.id, orgId: user.orgId, instanceId: "", isAllowed: () => true, keptSession };
}
