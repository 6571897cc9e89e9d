import { html } from "../../../html.ts";
import type { SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import type { SignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { lacksOwnProof } from "../../../sign-in/proof.ts";
import { linkExternalUser } from "../../../sign-in/provider/link-external-user.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { detailsList } from "../../frame/details-list.ts";
import type { PageResponse } from "../../frame/page.ts";
import { findAllowedIdp } from "../allowed.ts";
import { askAgain } from "../first-page/first-page.ts";
import { gateFields } from "../gate-form.ts";
import { readPendingLink } from "../pending-link.ts";
import type { GateStep, ProvedUser, SignInParts, SignInVisit } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";

/** The values of the `do` buttons. */
const ACTIONS = { link: "link", skip: "skip" } as const;

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
  const { signIn, language } = visit;
  const { userName, idp: texts } = language.texts.signIn;
  const { confirm } = texts;
  return stepPage(language, {
    status: hasFailed ? 422 : 200,
    title: fillIn(confirm.title, { name: idp.name }),
    content: html`<p>${fillIn(confirm.text, { name: idp.name })}</p>
${hasFailed && html`<p class="error" role="alert">${confirm.failed}</p>`}
${detailsList([
  [userName, user.userName],
  [confirm.external, displayName || externalUserId],
])}
<form method="post" action="${stepPath(signIn, "link")}">
${gateFields(parts, visit, at)}
<button name="do" value="${ACTIONS.link}">${confirm.submit}</button>
<button class="secondary" name="do" value="${ACTIONS.skip}">${confirm.skip}</button>
</form>`,
  });
}

/** Links the external user to the account if the signed-in user has confirmed it, and continues the sign-in. */
export const answerLink: GateStep["answer"] = async (parts, visit, at, form) => {
  const user = form.get("do") === ACTIONS.link ? await linkPending(parts, visit, at) : at.user;
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

/** Says which account an external user was linked to without a question. */
export function linkedPage(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  { name }: Pick<SignInIdp, "name">,
): PageResponse {
  const { signIn, language } = visit;
  const { userName, idp } = language.texts.signIn;
  return stepPage(language, {
    title: idp.linked.title,
    content: html`<p>${fillIn(idp.linked.text, { name, email: at.user.email })}</p>
${detailsList([[userName, at.user.userName]])}
<form method="post" action="${stepPath(signIn, "link")}">
${gateFields(parts, visit, at)}
<button name="do" value="${ACTIONS.skip}">${idp.linked.submit}</button>
</form>`,
  });
}
