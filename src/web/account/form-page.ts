import { type Html, html } from "../../html.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import type { Asset } from "../frame/asset.ts";
import { problemParagraph } from "../frame/notice.ts";
import type { PageResponse } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import type { FormProblem } from "./account-step.ts";

interface FormPage {
  /** Where the form is posted. */
  readonly action: string;
  readonly texts: { readonly title: string; readonly text: string; readonly submit: string };
  /** Between the text and the button: fields with their problems. */
  readonly fields?: Html;
  /** After the form. */
  readonly after?: Html;
  /** The scripts of the fields. */
  readonly scripts?: readonly Asset[];
  /** Whether the action cannot be undone. */
  readonly isDangerous?: boolean;
  readonly problem?: FormProblem | undefined;
}

/** A page with one form, and a link back to the account page. */
export function formPage(
  { formTokens }: AccountParts,
  { language, session }: AccountVisit,
  { action, texts, fields, after, scripts = [], isDangerous = false, problem }: FormPage,
): PageResponse {
  return renderPage({
    language,
    title: texts.title,
    scripts,
    problem,
    content: html`${problem !== undefined && problem.field === undefined && problemParagraph(problem.text)}
<p>${texts.text}</p>
<form method="post" action="${action}">
<input type="hidden" name="token" value="${formTokens.create(session.id)}">
${fields}
<button${isDangerous && html` class="danger"`}>${texts.submit}</button>
</form>
${after}
<p class="cancel"><a href="${ACCOUNT_PATH}">${language.texts.account.cancel}</a></p>`,
  });
}

/** The problem of a field, if it is the one with the problem. */
export function problemOf(problem: FormProblem | undefined, field: string): string | undefined {
  return problem?.field === field ? problem.text : undefined;
}
