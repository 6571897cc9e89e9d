import type { Self } from "../actor.ts";
import type { Call, Caller } from "../call.ts";

/**
 * The call for an operation on a page where people change their own user.
 *
 * @param keptSession The browser's session, if any, which is kept when the operation ends the user's sessions.
 */
export function toOwnCall(
  user: { readonly id: string; readonly orgId: string },
  caller: Caller,
  keptSession?: string,
): Call<Self> {
  return { ...caller, kind: "self", userId: user.id, orgId: user.orgId, keptSession };
}
