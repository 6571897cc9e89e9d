import { type Html, html } from "../../html.ts";
import { field } from "../frame/field.ts";
import type { PageResponse } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { identifierTexts } from "./entered-identifier.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The values of the `do` buttons: on the first page, to ask for a new password; and from there, to go back. */
export const OPEN_FORGOTTEN = "forgotten";
export const BACK = "back";

interface ForgottenForm {
  readonly token: string;
  /** What was entered on the page before. */
  readonly userName: string;
}

/** The form that asks for a new password. */
export function forgottenPage(visit: SignInVisit, { token, userName }: ForgottenForm): PageResponse {
  const { signIn, language } = visit;
  const { reset } = language.texts.signIn;
  const { label, resetText } = identifierTexts(visit);
  return renderPage({
    language,
    title: reset.title,
    leadsAway: true,
    content: html`<p>${resetText}</p>
<form method="post" action="${stepPath(signIn, "forgotten")}">
<input type="hidden" name="token" value="${token}">
${field({
  name: "username",
  label,
  attributes: html`type="text" value="${userName}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus`,
})}
<button>${reset.submit}</button>
${backButton(reset.back)}
</form>`,
  });
}

/** After a link was requested. */
export function sentPage(visit: SignInVisit, { token, userName }: ForgottenForm): PageResponse {
  const { signIn, language } = visit;
  const { sent, back } = language.texts.signIn.reset;
  return renderPage({
    language,
    title: sent.title,
    icon: "done",
    leadsAway: true,
    content: html`<p>${identifierTexts(visit).sentText}</p>
<form method="post" action="${stepPath(signIn, "forgotten")}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="username" value="${userName}">
${backButton(back)}
</form>`,
  });
}

function backButton(text: string): Html {
  return html`<p class="cancel"><button class="link" name="do" value="${BACK}" formnovalidate>${text}</button></p>`;
}
