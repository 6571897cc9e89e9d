import { html } from "../../html.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import { detailsList } from "../frame/details-list.ts";
import { field } from "../frame/field.ts";
import type { PageHeaders, PageResponse, Visit } from "../frame/page.ts";
import { PASSWORD_FIELD_SCRIPT, passwordField } from "../frame/password-field.ts";
import { renderPage } from "../frame/render-page.ts";
import { CODE_ATTRIBUTES, RECOVERY_ATTRIBUTES } from "../sign-in/one-time-code-page.ts";
import { PATHS } from "./paths.ts";
import { qrCode } from "./qr-code.ts";

type PageVisit = Pick<Visit, "language">;

export interface SetUpPage {
  readonly token: string;
  /** The secret, encrypted. */
  readonly secret: string;
  readonly base32: string;
  /** See `totpUri`. */
  readonly uri: string;
  readonly userName: string;
  /** What is wrong with the submitted code. */
  readonly problem?: string | undefined;
}

/** Shows a new secret, and asks for its first code. */
export function setUpPage({ language }: PageVisit, page: SetUpPage): PageResponse {
  const { token, secret, base32, uri, userName, problem } = page;
  const { title, text, picture, byHand, submit } = language.texts.accountForms.setUpCodes;
  const grouped = base32.match(/.{1,4}/g)?.join(" ") ?? base32;
  return renderPage({
    status: problem === undefined ? 200 : 422,
    language,
    title,
    content: html`<p>${text}</p>
${qrCode(uri, picture)}
<details>
<summary>${byHand}</summary>
<p><code>${grouped}</code></p>
</details>
${detailsList([[language.texts.signIn.userName, userName]])}
<form method="post" action="${PATHS.oneTimeCode}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="secret" value="${secret}">
${field({
  name: "code",
  label: language.texts.signIn.oneTimeCode.code,
  error: problem,
  attributes: html`${CODE_ATTRIBUTES} required`,
})}
<button>${submit}</button>
</form>
<p class="cancel"><a href="${ACCOUNT_PATH}">${language.texts.account.cancel}</a></p>`,
  });
}

export interface RemoveProblem {
  readonly status: number;
  readonly field: "password" | "code";
  readonly text: string;
  readonly headers?: PageHeaders;
}

export interface RemovePage {
  readonly token: string;
  readonly userName: string;
  readonly hasPassword: boolean;
  readonly problem?: RemoveProblem | undefined;
}

/** Asks for the password or a code before one-time codes are removed. */
export function removePage({ language }: PageVisit, page: RemovePage): PageResponse {
  const { token, userName, hasPassword, problem } = page;
  const { title, text, textWithPassword, submit, code, or } = language.texts.accountForms.removeCodes;
  const errorOf = (name: RemoveProblem["field"]) => (problem?.field === name ? problem.text : undefined);
  return renderPage({
    status: problem?.status ?? 200,
    language,
    title,
    scripts: hasPassword ? [PASSWORD_FIELD_SCRIPT] : [],
    ...(problem?.headers && { headers: problem.headers }),
    content: html`<p>${hasPassword ? textWithPassword : text}</p>
<form method="post" action="${PATHS.removeOneTimeCode}">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${userName}" autocomplete="username" hidden>
${
  hasPassword &&
  html`${passwordField(language, {
    name: "password",
    label: language.texts.signIn.password,
    error: errorOf("password"),
    attributes: html`autocomplete="current-password"`,
  })}
<p class="or">${or}</p>`
}
${field({ name: "code", label: code, error: errorOf("code"), attributes: RECOVERY_ATTRIBUTES })}
<button class="danger">${submit}</button>
</form>
<p class="cancel"><a href="${ACCOUNT_PATH}">${language.texts.account.cancel}</a></p>`,
  });
}
