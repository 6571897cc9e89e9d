import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import { type EndPlacedParts, endPlacedCredentials } from "./end-placed-credentials.ts";
import { listPlacedCredentials, type PlacedCredential, type UserKey } from "./placed-credentials.ts";

/** What an operation that grants roles returns besides the membership. */
export interface Reviewed {
  /** The credentials that others had placed before. */
  readonly placedCredentials: readonly PlacedCredential[];
}

/**
 * Grants roles to a user whose credentials may have been placed by others, and ends these first if `ends`. Once the user
 * has the roles, only callers who may grant them can place credentials.
 *
 * @param grant Gets what it returns to the caller besides the membership.
 * @throws SignetError of `grant` and `endPlacedCredentials`.
 */
export async function grantAfterReview<Result extends object>(
  parts: EndPlacedParts,
  user: UserKey,
  ends: boolean,
  call: Call<Principal | Operator>,
  grant: (reviewed: Reviewed) => Promise<Result>,
): Promise<Result & Reviewed> {
  const review = ends ? endPlacedCredentials : listPlacedCredentials;
  const reviewed = { placedCredentials: await review(parts, user, call) };
  const result = await grant(reviewed);
  // Credentials that were placed since the first pass.
  if (ends) await endPlacedCredentials(parts, user, call);
  return { ...result, ...reviewed };
}
