import { useUnsolicited } from "../../sign-in/unsolicited-responses.ts";
import { ACCOUNT_APP } from "../frame/account-app.ts";
import type { PageResponse } from "../frame/page.ts";
import { withCookies } from "../frame/with-cookies.ts";
import { findAllowedIdp } from "./allowed-idp.ts";
import { handleUnlinkedUser } from "./external.ts";
import { askAgain } from "./first-page.ts";
import { signInLinkedUser } from "./linked-user.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { ACCEPTED } from "./unsolicited-cookies.ts";

/**
 * Signs in the person who came from a SAML provider, and has continued in this browser: to the account page, through
 * every gate. A person who is not linked can register, but not link an account: the account at the provider
 * may be that of an attacker who has opened the response in the person's browser.
 *
 * @returns Undefined if there is no such person, who signs in as usual.
 */
export async function signInUnsolicited(parts: SignInParts, visit: SignInVisit): Promise<PageResponse | undefined> {
  const { signIn, caller } = visit;
  const { app, org, freshness, expectedUserId } = signIn;
  if (app.id !== ACCOUNT_APP.id || freshness.mustAuthenticate || expectedUserId !== undefined) return undefined;
  const handle = ACCEPTED.read(parts, visit, org.id);
  const external = handle && (await useUnsolicited(parts, handle, caller));
  if (external === undefined) return undefined;
  return withCookies(await complete(parts, visit, external), [ACCEPTED.forget(parts)]);
}

async function complete(
  parts: SignInParts,
  visit: SignInVisit,
  external: NonNullable<Awaited<ReturnType<typeof useUnsolicited>>>,
): Promise<PageResponse> {
  const { errors } = visit.language.texts.signIn.idp;
  const idp = await findAllowedIdp(parts, visit, external.idpId);
  if (idp === undefined) return askAgain(parts, visit, errors.gone);
  if (String(idp.sequence) !== external.idpSequence) return askAgain(parts, visit, errors.over);
  const { user, authTime, remember } = external;
  const confirmed = { externalUserId: user.id, authTime, remember, readUser: async () => user };
  const signedIn = await signInLinkedUser(parts, visit, idp, confirmed);
  return signedIn ?? (await handleUnlinkedUser(parts, visit, idp, external));
}
