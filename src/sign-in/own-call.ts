import type { Call, Caller } from "../call.ts";

/**
 * The call for an operation on a page where people change their own user. Requires no role.
 *
 * @param keptSession The browser's session, if any, which is kept when the operation ends the user's sessions.
 */
export function toOwnCall(
  user: { readonly id: string; readonly orgId: string },
  caller: Caller,
  keptSession?: string,
): Call {
  return { ...caller, userId: user.id, orgId: user.orgId, instanceId: "", isAllowed: () => true, keptSession };
}
