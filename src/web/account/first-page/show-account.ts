import { type Reason, SignetError } from "../../../errors.ts";
import { type Html, html } from "../../../html.ts";
import { openOneTimeCode } from "../../../sign-in/code/one-time-code.ts";
import type { AccountNotice } from "../../../texts/en/account.ts";
import type { PageTexts } from "../../../texts/page-language.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { done, NOTICE_COOKIE, noticeParagraph, problemParagraph, readNotice } from "../../frame/notice.ts";
import type { PageResponse, PageRoute } from "../../frame/page.ts";
import { renderPage } from "../../frame/render-page.ts";
import { redirect } from "../../frame/responses.ts";
import type { SessionList } from "../../frame/sessions.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { type AccountStep, accountRoute, type FormProblem } from "../account-step.ts";
import { PATHS } from "../paths.ts";
import { accessRows, dataRows, linkRows, passkeyRows, passwordRows, profileRows, sessionRows } from "./account-rows.ts";
import { type Row, rowList } from "./rows.ts";

/** The account page, with the notice of the previous action, or a problem. */
export async function showAccount(
  parts: AccountParts,
  visit: AccountVisit,
  problem?: FormProblem,
): Promise<PageResponse> {
  const { language, caller, session, account } = visit;
  const [list, idps] = await Promise.all([
    parts.sessions.list(session.userId, session.id),
    account.policy.allowExternalIdp ? parts.idpOffers.find(account.orgId, caller) : [],
  ]);
  const notice = readNotice(parts, visit);
  const token = parts.formTokens.create(session.id);
  const texts = language.texts.account;
  const links = linkRows(visit, idps);
  const hasOneTimeCode = openOneTimeCode(parts.keyring, account) !== undefined;
  const section = (title: string, rows: readonly Row[], { none, after }: { none?: string; after?: Html } = {}) =>
    html`<section>
<h2>${title}</h2>
${rows.length === 0 && none !== undefined ? html`<p>${none}</p>` : rowList(rows, token)}
${after}
</section>`;
  return renderPage({
    status: problem === undefined ? 200 : 422,
    language,
    title: texts.title,
    isWide: true,
    // A sign-out may continue at the provider, and linking an account does.
    leadsAway: session.idpId !== null || idps.length > 0,
    headers: { "set-cookie": notice === undefined ? [] : [NOTICE_COOKIE.forget(parts)] },
    content: html`${problem !== undefined && problemParagraph(problem.text)}${problem === undefined && notice !== undefined && noticeParagraph(language, notice)}
${section(texts.profile, profileRows(visit))}
${section(texts.signIn, passwordRows(visit, hasOneTimeCode))}
${section(texts.passkeys.title, passkeyRows(visit), { none: texts.passkeys.none, after: addPasskey(texts, token) })}
${links.length > 0 && section(texts.idps.title, links)}
${section(texts.sessions.title, sessionRows(visit, list), { after: signOutForm(texts, list, token) })}
${section(texts.apps.title, accessRows(visit, list), { none: texts.apps.none })}
${section(texts.data.title, dataRows(visit, parts.config.accountDeletion))}`,
  });
}

type AccountTexts = PageTexts["account"];

function addPasskey({ actions, passkeys }: AccountTexts, token: string): Html {
  return html`<form class="action" method="post" action="${PATHS.passkeys}">
<input type="hidden" name="token" value="${token}">
<button class="secondary">${actions.add}<span class="spoken">: ${passkeys.title}</span></button>
</form>`;
}

function signOutForm(
  { sessions: texts, signOut }: AccountTexts,
  { sessions, total }: SessionList,
  token: string,
): Html {
  const count = total - sessions.length;
  return html`${count > 0 && html`<p class="small">${fillIn(texts.more, { count })}</p>`}
<form class="action" method="post" action="${PATHS.signOut}">
<input type="hidden" name="token" value="${token}">
<button class="secondary">${signOut}</button>${total > 1 && html` <button class="secondary" formaction="${PATHS.otherSessions}">${texts.endOthers}</button>`}
</form>`;
}

/** The route of a button on the account page, which has no page of its own. */
export function buttonRoute(step: Required<Pick<AccountStep, "isSensitive" | "submit">>): PageRoute<AccountParts> {
  return accountRoute({
    ...step,
    show: (parts, visit, problem) =>
      problem === undefined ? redirect(ACCOUNT_PATH) : showAccount(parts, visit, problem),
  });
}

/** The account page for a form that is out of date, for instance because of a change in another tab. */
export function showStale(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  return showAccount(parts, visit, { text: visit.language.texts.account.stale });
}

const GONE: ReadonlySet<Reason> = new Set<Reason>([
  "APP_NOT_FOUND",
  "IDP_LINK_NOT_FOUND",
  "OTP_NOT_FOUND",
  "PASSKEY_NOT_FOUND",
]);

/** Makes a change. Shows the account page if what it concerns is gone, or is the user's only way to sign in. */
export async function unlessGone(
  parts: AccountParts,
  visit: AccountVisit,
  notice: AccountNotice,
  change: () => Promise<unknown>,
): Promise<PageResponse> {
  try {
    await change();
    return done(parts, notice);
  } catch (error) {
    if (!(error instanceof SignetError)) throw error;
    if (GONE.has(error.reason)) return await showStale(parts, visit);
    if (error.reason !== "ONLY_WAY_IN") throw error;
    return await showAccount(parts, visit, { text: visit.language.texts.account.onlyWay });
  }
}
