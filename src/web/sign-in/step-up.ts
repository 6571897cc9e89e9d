import { listPasskeyDescriptors } from "../../passkeys/find-passkeys.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { openOneTimeCode } from "../../sign-in/one-time-code.ts";
import type { PageResponse } from "../frame/page.ts";
import { findExpectedUser } from "./expected-user.ts";
import { enterGates } from "./gates.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/**
 * Asks a user with a session only for the second factor, if the session is merely too weak for the application. Nobody
 * can set up a factor this way: a user without one signs in again.
 *
 * @returns Undefined if the user has to sign in as usual.
 */
export async function stepUp(parts: SignInParts, visit: SignInVisit): Promise<PageResponse | undefined> {
  const { weakSignIn, freshness, requiresTwoFactors } = visit.signIn;
  if (weakSignIn === undefined || freshness.mustAuthenticate) return undefined;
  // Without a factor to add, this would be a sign-in without any proof.
  if (!requiresTwoFactors || weakSignIn.methods.includes("mfa")) return undefined;
  const user = await findExpectedUser(parts, visit);
  if (user?.state !== "active" || !(await hasSecondFactor(parts, visit, user))) return undefined;
  return await enterGates(parts, visit, user, weakSignIn);
}

async function hasSecondFactor(parts: SignInParts, { caller }: SignInVisit, user: SignInUser): Promise<boolean> {
  if (openOneTimeCode(parts.keyring, user) !== undefined) return true;
  return (await listPasskeyDescriptors(parts, user, caller)).length > 0;
}
