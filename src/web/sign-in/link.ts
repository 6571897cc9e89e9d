import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { linkExternalUser } from "../../sign-in/link-external-user.ts";
import { lacksOwnProof, type Proved } from "../../sign-in/proof.ts";
import type { PageResponse } from "../frame/page.ts";
import { findAllowedIdp } from "./allowed-idp.ts";
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
  const linked = form.get("do") === IDP_ACTIONS.link ? await linkPending(parts, visit, user, proved) : user;
  if (linked === undefined) {
    return (await confirmLink(parts, visit, user, proved, { hasFailed: true })) ?? askAgain(parts, visit);
  }
  const decided = { ...visit, pendingLink: undefined };
  return await proceed(parts, decided, linked, proved);
}

/** Returns undefined if the external user cannot be linked. */
async function linkPending(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
): Promise<SignInUser | undefined> {
  const { pendingLink, caller } = visit;
  if (pendingLink === undefined || lacksOwnProof(proved, user)) return undefined;
  const { idpSequence, ...link } = pendingLink;
  const idp = await findAllowedIdp(parts, visit, link.idpId);
  if (idp === undefined || !idp.isLinkingAllowed || String(idp.sequence) !== idpSequence) return undefined;
  return await linkExternalUser(parts, user, idp, link, caller);
}
