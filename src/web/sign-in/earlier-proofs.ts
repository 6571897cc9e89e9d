import { listPasskeyDescriptors } from "../../passkeys/find-passkeys.ts";
import { openOneTimeCode } from "../../sign-in/code/one-time-code.ts";
import { findSignInUser, type SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { allowsMethods } from "../../sign-in/methods.ts";
import type { ConfirmedExternal } from "../../sign-in/provider/check-registration.ts";
import { useUnsolicited } from "../../sign-in/provider/unsolicited-responses.ts";
import { ACCOUNT_APP } from "../frame/account-app.ts";
import { LINK_PROOF } from "../frame/page-cookies.ts";
import { findAllowedIdp } from "./allowed.ts";
import { askAgain, findExpectedUser } from "./first-page/first-page.ts";
import { handleUnlinkedUser } from "./provider/external.ts";
import { signInLinkedUser } from "./provider/linked-user.ts";
import { ACCEPTED } from "./provider/unsolicited.ts";
import type { ProvedUser, SignInParts, SignInVisit, StepResult } from "./sign-in-parts.ts";

/** Those of the password that the user has just set. */
const METHODS = ["pwd"];

/**
 * Signs in the user who has just set a password with an initialization link in this browser: to the account page, where
 * the link leads, and only if the user has not changed since. Every gate applies.
 *
 * @returns Undefined if there is no such user, who has to sign in as usual.
 */
export async function signInByLink(parts: SignInParts, visit: SignInVisit): Promise<ProvedUser | undefined> {
  const { signIn, caller } = visit;
  const { app, org, policy, freshness, expectedUserId } = signIn;
  if (app.id !== ACCOUNT_APP.id || freshness.mustAuthenticate || expectedUserId !== undefined) return undefined;
  const proof = LINK_PROOF.read(parts, visit, org.id);
  if (proof === undefined || !allowsMethods(policy, METHODS)) return undefined;
  const user = await findSignInUser(parts, proof.userId, caller);
  const isUnchanged = user?.state === "active" && user.orgId === org.id && String(user.sequence) === proof.sequence;
  return isUnchanged ? { user, proved: { methods: METHODS, remember: false } } : undefined;
}

/**
 * Signs in the person who came from a SAML provider, and has continued in this browser: to the account page, through
 * every gate. A person who is not linked can register, but not link an account: the account at the provider
 * may be that of an attacker who has opened the response in the person's browser.
 *
 * @returns Undefined if there is no such person, who signs in as usual.
 */
export async function signInUnsolicited(parts: SignInParts, visit: SignInVisit): Promise<StepResult | undefined> {
  const { signIn, caller } = visit;
  const { app, org, freshness, expectedUserId } = signIn;
  if (app.id !== ACCOUNT_APP.id || freshness.mustAuthenticate || expectedUserId !== undefined) return undefined;
  const handle = ACCEPTED.read(parts, visit, org.id);
  const external = handle && (await useUnsolicited(parts, handle, caller));
  return external && (await complete(parts, visit, external));
}

async function complete(parts: SignInParts, visit: SignInVisit, external: ConfirmedExternal): Promise<StepResult> {
  const { errors } = visit.language.texts.signIn.idp;
  const idp = await findAllowedIdp(parts, visit, external.idpId);
  if (idp === undefined) return await askAgain(parts, visit, errors.gone);
  if (String(idp.sequence) !== external.idpSequence) return await askAgain(parts, visit, errors.over);
  const { user, authTime, remember } = external;
  const confirmed = { externalUserId: user.id, authTime, remember, readUser: async () => user };
  const signedIn = await signInLinkedUser(parts, visit, idp, confirmed);
  return signedIn ?? (await handleUnlinkedUser(parts, visit, idp, external));
}

/**
 * Asks a user with a session only for the second factor, if the session is merely too weak for the application. Nobody
 * can set up a factor this way: a user without one signs in again.
 *
 * @returns Undefined if the user has to sign in as usual.
 */
export async function stepUp(parts: SignInParts, visit: SignInVisit): Promise<ProvedUser | undefined> {
  const { weakSignIn, freshness, requiresTwoFactors } = visit.signIn;
  if (weakSignIn === undefined || freshness.mustAuthenticate) return undefined;
  // Without a factor to add, this would be a sign-in without any proof.
  if (!requiresTwoFactors || weakSignIn.methods.includes("mfa")) return undefined;
  const user = await findExpectedUser(parts, visit);
  if (user?.state !== "active" || !(await hasSecondFactor(parts, visit, user))) return undefined;
  return { user, proved: weakSignIn };
}

async function hasSecondFactor(parts: SignInParts, { caller }: SignInVisit, user: SignInUser): Promise<boolean> {
  if (openOneTimeCode(parts.keyring, user) !== undefined) return true;
  return (await listPasskeyDescriptors(parts, user, caller)).length > 0;
}
