import { findSignInIdp } from "../../idps/find-sign-in-idp.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { linkExternalUser } from "../../sign-in/link-external-user.ts";
import type { PageResponse } from "../frame/page.ts";
import { askAgain } from "./first-page.ts";
import { openGate, proceed } from "./gates.ts";
import { IDP_ACTIONS } from "./idp-pages.ts";
import { confirmLink } from "./pending-links.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** Links the external user to the account if the signed-in user has confirmed it, and continues the sign-in. */
export async function answerLink(parts: SignInParts, visit: SignInVisit, form: URLSearchParams): Promise<PageResponse> {
  const gate = await openGate(parts, visit, undefined, form);
  if (!gate.ok) return gate.page;
  const { user, proved } = gate;
  const linked = form.get("do") === IDP_ACTIONS.link ? await linkPending(parts, visit, user) : user;
  if (linked === undefined) {
    return (await confirmLink(parts, visit, user, proved, { hasFailed: true })) ?? askAgain(parts, visit);
  }
  const decided = { ...visit, pendingLink: undefined };
  return await proceed(parts, decided, linked, proved);
}

/** Returns undefined if the external user cannot be linked. */
async function linkPending(
  parts: SignInParts,
  { signIn, pendingLink, caller }: SignInVisit,
  user: SignInUser,
): Promise<SignInUser | undefined> {
  if (pendingLink === undefined) return undefined;
  const idp = await findSignInIdp(parts, { orgId: signIn.org.id, idpId: pendingLink.idpId }, caller);
  return idp && (await linkExternalUser(parts, user, idp, pendingLink, caller));
}
