import { type Reason, SignetError } from "../../../errors.ts";
import { type Html, html } from "../../../html.ts";
import { openOneTimeCode } from "../../../sign-in/code/one-time-code.ts";
import type { AccountNotice } from "../../../texts/en/account.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { done, NOTICE_COOKIE, noticeParagraph, problemParagraph, readNotice } from "../../frame/notice.ts";
import type { PageResponse, PageRoute } from "../../frame/page.ts";
import { renderPage } from "../../frame/render-page.ts";
import { redirect } from "../../frame/responses.ts";
import type { AccountPage, AccountParts, AccountVisit } from "../account-parts.ts";
import { type AccountStep, accountRoute, type FormProblem } from "../account-step.ts";
import { PATHS } from "../paths.ts";
import { accessRows, linkRows, passkeyRows, passwordRows, profileRows, sessionRows } from "./account-rows.ts";
import { actionButton, actionLink, type Row, rowList } from "./rows.ts";

/** The account page, with the notice of the previous action, or a problem. */
export async function showAccount(
  parts: AccountParts,
  visit: AccountVisit,
  problem?: FormProblem,
): Promise<PageResponse> {
  const { caller, session, account } = visit;
  const [list, idps] = await Promise.all([
    parts.sessions.list(session.userId, session.id),
    account.policy.allowExternalIdp ? parts.idpOffers.find(account.orgId, caller) : [],
  ]);
  const notice = readNotice(parts, visit);
  return accountPage(visit, {
    token: parts.formTokens.create(session.id),
    hasOneTimeCode: openOneTimeCode(parts.keyring, account) !== undefined,
    list,
    idps,
    allowsRemoval: parts.config.accountDeletion,
    notice,
    problem: problem?.text,
    cookies: notice === undefined ? [] : [NOTICE_COOKIE.forget(parts)],
  });
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

/** The page where users see and change their own account. */
function accountPage(visit: AccountVisit, page: AccountPage): PageResponse {
  const { language, session, account } = visit;
  const { token, list, idps, notice, problem, cookies } = page;
  const texts = language.texts.account;
  const links = linkRows(visit, page);
  return renderPage({
    status: problem === undefined ? 200 : 422,
    language,
    title: texts.title,
    isWide: true,
    // A sign-out may continue at the provider, and linking an account does.
    leadsAway: session.idpId !== null || idps.length > 0,
    headers: { "set-cookie": cookies },
    content: html`${problem !== undefined && problemParagraph(problem)}${problem === undefined && notice !== undefined && noticeParagraph(language, notice)}
${section(texts.profile, rowList(profileRows(visit)))}
${section(texts.signIn, rowList(passwordRows(visit, page)))}
${section(
  texts.passkeys.title,
  html`${account.passkeys.length > 0 ? rowList(passkeyRows(visit)) : html`<p>${texts.passkeys.none}</p>`}
<div class="action">${actionButton({ path: PATHS.passkeys, token, label: texts.actions.add, what: texts.passkeys.title })}</div>`,
)}
${links.length > 0 && section(texts.idps.title, rowList(links))}
${section(
  texts.sessions.title,
  html`${rowList(sessionRows(visit, page))}
${list.total > list.sessions.length && html`<p class="small">${fillIn(texts.sessions.more, { count: list.total - list.sessions.length })}</p>`}
<form class="action" method="post" action="${PATHS.signOut}">
<input type="hidden" name="token" value="${token}">
<button class="secondary">${texts.signOut}</button>${list.total > 1 && html` <button class="secondary" formaction="${PATHS.otherSessions}">${texts.sessions.endOthers}</button>`}
</form>`,
)}
${section(texts.apps.title, list.apps.length > 0 ? rowList(accessRows(visit, page)) : html`<p>${texts.apps.none}</p>`)}
${section(texts.data.title, rowList(dataRows(visit, page)))}`,
  });
}

function section(title: string, content: Html): Html {
  return html`<section>
<h2>${title}</h2>
${content}
</section>`;
}

function dataRows({ language }: AccountVisit, { allowsRemoval }: AccountPage): readonly Row[] {
  const { data, actions } = language.texts.account;
  const open = (path: string, what: string) => [actionLink(path, actions.open, what)];
  return [
    { value: data.download, note: data.downloadHint, actions: open(PATHS.data, data.download) },
    ...(allowsRemoval ? [{ value: data.remove, note: data.removeHint, actions: open(PATHS.remove, data.remove) }] : []),
  ];
}
