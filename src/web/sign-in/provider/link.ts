import type { SignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { lacksOwnProof } from "../../../sign-in/proof.ts";
import { linkExternalUser } from "../../../sign-in/provider/link-external-user.ts";
import type { PageResponse } from "../../frame/page.ts";
import { findAllowedIdp } from "../allowed.ts";
import { askAgain } from "../first-page/first-page.ts";
import { toGateForm } from "../gate-form.ts";
import { readPendingLink } from "../pending-link.ts";
import type { GateStep, ProvedUser, SignInParts, SignInVisit } from "../sign-in-parts.ts";
import { confirmLinkPage, IDP_ACTIONS } from "./idp-pages.ts";

/**
 * The page that asks the signed-in user whether to link the external user; undefined if there is none, its provider is
 * gone, or the user's proof does not allow it (`lacksOwnProof`).
 */
export async function confirmLink(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  { hasFailed } = { hasFailed: false },
): Promise<PageResponse | undefined> {
  const pendingLink = readPendingLink(parts, visit);
  const { user, proved } = at;
  if (pendingLink === undefined || lacksOwnProof(proved, user)) return undefined;
  const { idpId, displayName, externalUserId } = pendingLink;
  const idp = await findAllowedIdp(parts, visit, idpId);
  if (idp === undefined) return undefined;
  const externalName = displayName || externalUserId;
  const form = { ...toGateForm(parts, visit, at), userName: user.userName, externalName, hasFailed };
  return confirmLinkPage(visit, idp, form);
}

/** Links the external user to the account if the signed-in user has confirmed it, and continues the sign-in. */
export const answerLink: GateStep["answer"] = async (parts, visit, at, form) => {
  const user = form.get("do") === IDP_ACTIONS.link ? await linkPending(parts, visit, at) : at.user;
  if (user === undefined)
    return (await confirmLink(parts, visit, at, { hasFailed: true })) ?? (await askAgain(parts, visit));
  return { user, proved: at.proved, visit: { ...visit, hasDecidedLink: true } };
};

/** Returns undefined if the external user cannot be linked. */
async function linkPending(
  parts: SignInParts,
  visit: SignInVisit,
  { user, proved }: ProvedUser,
): Promise<SignInUser | undefined> {
  const pendingLink = readPendingLink(parts, visit);
  if (pendingLink === undefined || lacksOwnProof(proved, user)) return undefined;
  const { idpSequence, ...link } = pendingLink;
  const idp = await findAllowedIdp(parts, visit, link.idpId);
  if (idp === undefined || !idp.isLinkingAllowed || String(idp.sequence) !== idpSequence) return undefined;
  return await linkExternalUser(parts, user, idp, link, visit.caller);
}
