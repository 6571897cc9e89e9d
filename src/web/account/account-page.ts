import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import type { Account } from "../../sign-in/read-account.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import type { Session } from "./sessions.ts";
import { ACCOUNT_CODE_TEXTS } from "./texts/account-code-texts.ts";
import { ACCOUNT_TEXTS } from "./texts/account-texts.ts";

export const PASSWORD_CHANGE_PATH = `${ACCOUNT_PATH}/password`;
export const ONE_TIME_CODE_PATH = `${ACCOUNT_PATH}/one-time-code`;
export const REMOVE_ONE_TIME_CODE_PATH = `${ONE_TIME_CODE_PATH}/remove`;

/** The values of the `do` buttons. */
export const ACTIONS = {
  addPasskey: "add-passkey",
  removePasskey: "remove-passkey",
  removeIdpLink: "remove-link",
  newRecoveryCodes: "new-recovery-codes",
  endSession: "end-session",
  signOut: "sign-out",
  signOutEverywhere: "sign-out-everywhere",
} as const;

export interface AccountPage {
  readonly language: Language;
  readonly account: Account;
  readonly hasOneTimeCode: boolean;
  /** The session of this browser. */
  readonly session: Session;
  readonly sessions: readonly Session[];
  /** The form token of the session. */
  readonly token: string;
  readonly problem?: string | undefined;
}

/** The page where users see and change their own account. */
export function accountPage(page: AccountPage): PageResponse {
  const { language, account, hasOneTimeCode, session, sessions, token, problem } = page;
  const texts = ACCOUNT_TEXTS[language];
  const codeTexts = ACCOUNT_CODE_TEXTS[language];
  const { passkeys, idpLinks, recoveryCodes } = account;
  const action = (name: keyof typeof ACTIONS, label: string, fields: Readonly<Record<string, string>> = {}) =>
    html`<form class="action" method="post" action="${ACCOUNT_PATH}">
<input type="hidden" name="token" value="${token}">
${Object.entries(fields).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">\n`)}<button class="quiet" name="do" value="${ACTIONS[name]}">${label}</button>
</form>`;
  const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return renderPage({
    status: problem === undefined ? 200 : 422,
    language,
    title: texts.title,
    content: html`${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}
${detailsList([
  [texts.name, account.displayName],
  [texts.userName, account.userName],
  [texts.email, account.email],
  [texts.phone, account.phone ?? ""],
  [texts.org, account.orgName],
])}
${
  account.hasPassword &&
  html`<h2>${texts.password.title}</h2>
<p><a href="${PASSWORD_CHANGE_PATH}">${texts.password.change}</a></p>`
}
<h2>${codeTexts.title}</h2>
${
  hasOneTimeCode
    ? html`<p>${codeTexts.active(recoveryCodes)}</p>
<p><a href="${REMOVE_ONE_TIME_CODE_PATH}">${codeTexts.removeLink}</a></p>
${action("newRecoveryCodes", codeTexts.newCodes)}`
    : html`<p>${codeTexts.none}</p>
<p><a href="${ONE_TIME_CODE_PATH}">${codeTexts.setUpLink}</a></p>`
}
<h2>${texts.passkeys.title}</h2>
${list(
  passkeys.map(({ id, name, createdAt }) => [
    html`${name === "" ? texts.passkeys.since(days.format(createdAt)) : name}`,
    action("removePasskey", texts.passkeys.remove, { id }),
  ]),
  texts.passkeys.none,
)}
${action("addPasskey", texts.passkeys.add)}
${
  idpLinks.length > 0 &&
  html`<h2>${texts.idps.title}</h2>
${list(
  idpLinks.map(({ idpId, externalUserId, idpName, displayName }) => [
    html`${idpName}${displayName !== "" && html`<br><span class="small">${displayName}</span>`}`,
    action("removeIdpLink", texts.idps.remove, { id: idpId, external: externalUserId }),
  ]),
)}`
}
${passkeys.length + idpLinks.length > 0 && html`<p class="small">${texts.passkeys.hint}</p>`}
<h2>${texts.sessions.title}</h2>
${list(
  sessions.map(({ id, signedInAt, appNames }) => [
    html`${id === session.id ? html`${texts.sessions.here}<br>` : ""}${texts.sessions.since(`${times.format(signedInAt)} UTC`)}${appNames.length > 0 && html`<br><span class="small">${appNames.join(", ")}</span>`}`,
    id === session.id ? html`` : action("endSession", texts.sessions.end, { id }),
  ]),
)}
${action("signOut", texts.signOut)}
${action("signOutEverywhere", texts.signOutEverywhere)}`,
  });
}

/** A list of items with their actions. */
function list(rows: readonly (readonly [what: Html, action: Html])[], none = ""): Html {
  if (rows.length === 0) return html`<p>${none}</p>`;
  return html`<ul class="rows">
${rows.map(([what, action]) => html`<li><div>${what}</div>${action}</li>\n`)}</ul>`;
}
