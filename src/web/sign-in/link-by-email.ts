import { userNameKey } from "../../fields/user-name.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { AUTO_LINKING } from "../../idps/stored-numbers.ts";
import { type ConfirmedExternal, toLinkName } from "../../sign-in/check-registration.ts";
import { findIdentifiedUser } from "../../sign-in/find-identified-user.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { linkExternalUser } from "../../sign-in/link-external-user.ts";
import type { PageResponse } from "../frame/page.ts";
import { findExpectedUser } from "./expected-user.ts";
import { toGateForm } from "./gate-form.ts";
import { linkedPage } from "./idp-pages.ts";
import { toProvedByIdp } from "./linked-user.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/**
 * Links an external user to the only active user of the organization with the same email address, if both the provider
 * and this service have verified it, and the provider's options say so. The page tells the user, and a notice goes to
 * the address.
 *
 * @returns Undefined if nobody was linked.
 */
export async function linkByEmail(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  external: ConfirmedExternal,
): Promise<PageResponse | undefined> {
  const found = await findUserToLink(parts, visit, idp, external);
  if (found === undefined) return undefined;
  const { id: externalUserId } = external.user;
  const link = { idpId: idp.id, externalUserId, displayName: toLinkName(idp, external.user) };
  const user = await linkExternalUser(parts, found, idp, link, visit.caller);
  if (user === undefined) return undefined;
  parts.metrics?.signInChecked("idp", "success");
  visit.caller.throwIfOver();
  await parts.interactions.prove(visit.signIn, { userId: user.id, sequence: user.sequence });
  const form = toGateForm(parts, visit, user, toProvedByIdp(idp, external));
  return linkedPage(visit, idp, { ...form, userName: user.userName, email: user.email });
}

async function findUserToLink(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  { user: { email, emailVerified } }: ConfirmedExternal,
): Promise<SignInUser | undefined> {
  if (idp.autoLinking !== AUTO_LINKING.email || !idp.isLinkingAllowed || !emailVerified || email === "") {
    return undefined;
  }
  // No user has an empty name.
  const identifier = { orgId: visit.signIn.org.id, nameKey: "", emailKey: userNameKey(email), phone: null };
  const user = await findIdentifiedUser(parts, identifier, visit.caller);
  // Anyone who controls a provider of the organization could otherwise get the user's roles elsewhere.
  if (user === undefined || (user.hasRolesElsewhere && !idp.isOfInstance)) return undefined;
  const expected = await findExpectedUser(parts, visit);
  return expected === undefined || expected.id === user.id ? user : undefined;
}
