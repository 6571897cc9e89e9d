import { type Html, html } from "../../../html.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { noticeParagraph, problemParagraph } from "../../frame/notice.ts";
import type { PageResponse } from "../../frame/page.ts";
import { renderPage } from "../../frame/render-page.ts";
import type { AccountPage, AccountVisit } from "../account-parts.ts";
import { PATHS } from "../paths.ts";
import { accessRows, linkRows, passkeyRows, passwordRows, profileRows, sessionRows } from "./account-rows.ts";
import { actionButton, actionLink, type Row, rowList } from "./rows.ts";

/** The page where users see and change their own account. */
export function accountPage(visit: AccountVisit, page: AccountPage): PageResponse {
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
<div class="action">${addPasskeyButton(token, texts.actions.add, texts.passkeys.title)}</div>`,
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

function addPasskeyButton(token: string, label: string, what: string): Html {
  return actionButton({ path: PATHS.passkeys, token, label, what });
}

function dataRows({ language }: AccountVisit, { allowsRemoval }: AccountPage): readonly Row[] {
  const { data, actions } = language.texts.account;
  const open = (path: string, what: string) => [actionLink(path, actions.open, what)];
  return [
    { value: data.download, note: data.downloadHint, actions: open(PATHS.data, data.download) },
    ...(allowsRemoval ? [{ value: data.remove, note: data.removeHint, actions: open(PATHS.remove, data.remove) }] : []),
  ];
}
