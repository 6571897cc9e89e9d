import { html } from "../../../html.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { field, PASSWORD_FIELD_SCRIPT, passwordField } from "../../frame/field.ts";
import type { PageResponse, Visit } from "../../frame/page.ts";
import { renderPage, type SubmitProblem } from "../../frame/render-page.ts";
import { type NewSecret, secretForm } from "../../sign-in/code/new-codes.ts";
import { RECOVERY_ATTRIBUTES } from "../../sign-in/code/one-time-code.ts";
import { PATHS } from "../paths.ts";

type PageVisit = Pick<Visit, "language">;

/** Shows a new secret, and asks for its first code. */
export function setUpPage(
  { language }: PageVisit,
  { token, userName, ...secret }: NewSecret & { readonly token: string; readonly userName: string },
): PageResponse {
  const hidden = html`<input type="hidden" name="token" value="${token}">`;
  return renderPage({
    status: secret.problem === undefined ? 200 : 422,
    language,
    title: language.texts.accountForms.setUpCodes.title,
    content: html`${secretForm(language, userName, secret, { action: PATHS.oneTimeCode, hidden })}
<p class="cancel"><a href="${ACCOUNT_PATH}">${language.texts.account.cancel}</a></p>`,
  });
}

export interface RemoveProblem extends SubmitProblem {
  readonly field: "password" | "code";
}

interface RemovePage {
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
    language,
    title,
    scripts: hasPassword ? [PASSWORD_FIELD_SCRIPT] : [],
    problem,
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
