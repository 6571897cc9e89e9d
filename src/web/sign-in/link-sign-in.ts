import { allowsMethods } from "../../sign-in/allowed-methods.ts";
import { findSignInUser } from "../../sign-in/find-sign-in-user.ts";
import { ACCOUNT_APP } from "../frame/account-app.ts";
import { forgetLinkProof, readLinkProof } from "../frame/link-proof.ts";
import type { PageResponse } from "../frame/page.ts";
import { withCookies } from "../frame/with-cookies.ts";
import { enterGates } from "./gates.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** Those of the password that the user has just set. */
const METHODS = ["pwd"];

/**
 * Signs in the user who has just set a password with an initialization link in this browser: to the account page, where
 * the link leads, and only if the user has not changed since. Every gate applies.
 *
 * @returns Undefined if there is no such user, who has to sign in as usual.
 */
export async function signInByLink(parts: SignInParts, visit: SignInVisit): Promise<PageResponse | undefined> {
  const { signIn, caller } = visit;
  const { app, org, policy, freshness, expectedUserId } = signIn;
  if (app.id !== ACCOUNT_APP.id || freshness.mustAuthenticate || expectedUserId !== undefined) return undefined;
  const proof = readLinkProof(parts, visit, org.id);
  if (proof === undefined || !allowsMethods(policy, METHODS)) return undefined;
  const user = await findSignInUser(parts, proof.userId, caller);
  const isUnchanged = user?.state === "active" && user.orgId === org.id && String(user.sequence) === proof.sequence;
  if (!isUnchanged) return undefined;
  const page = await enterGates(parts, visit, user, { methods: METHODS, remember: false });
  return withCookies(page, [forgetLinkProof(parts)]);
}
