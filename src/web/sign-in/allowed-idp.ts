import { findSignInIdp, type SignInIdp } from "../../idps/find-sign-in-idp.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** Finds an active provider for a sign-in; undefined if there is none, or the login policy does not allow any. */
export async function findAllowedIdp(
  parts: SignInParts,
  { signIn, caller }: SignInVisit,
  idpId: string,
): Promise<SignInIdp | undefined> {
  if (!signIn.policy.allowExternalIdp) return undefined;
  return await findSignInIdp(parts, { orgId: signIn.org.id, idpId }, caller);
}
