import { html } from "../../html.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { detailsList } from "../frame/details-list.ts";
import { field } from "../frame/field.ts";
import type { PageHeaders, PageResponse } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import type { GateForm } from "./gate-form.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** Attributes of a field for a one-time code: phones and password managers fill it in. */
export const CODE_ATTRIBUTES = html`type="text" class="digits" inputmode="numeric" autocomplete="one-time-code" maxlength="20"`;

/** Attributes of a field for a recovery code. */
export const RECOVERY_ATTRIBUTES = html`type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="60"`;

/** What is wrong with a submitted code. */
export interface CodeProblem {
  readonly status: number;
  readonly text: string;
  readonly headers?: PageHeaders;
  /** Whether a recovery code was submitted. */
  readonly isRecovery: boolean;
}

/** The form for a user with one-time codes, and a second one for a recovery code. */
export function oneTimeCodePage(
  { signIn, language }: SignInVisit,
  user: SignInUser,
  { token, proof, problem }: GateForm & { readonly problem?: CodeProblem },
): PageResponse {
  const { title, text, code, submit, recovery } = language.texts.signIn.oneTimeCode;
  const hidden = html`<input type="hidden" name="token" value="${token}">
<input type="hidden" name="proof" value="${proof}">`;
  const action = stepPath(signIn, "oneTimeCode");
  const errorOf = (isRecovery: boolean) => (problem?.isRecovery === isRecovery ? problem.text : undefined);
  return renderPage({
    status: problem?.status ?? 200,
    language,
    title,
    leadsAway: true,
    ...(problem?.headers && { headers: problem.headers }),
    content: html`<p>${text}</p>
${detailsList([[language.texts.signIn.userName, user.userName]])}
<form method="post" action="${action}">
${hidden}
${field({
  name: "code",
  label: code,
  error: errorOf(false),
  attributes: html`${CODE_ATTRIBUTES} required${problem === undefined && html` autofocus`}`,
})}
<button>${submit}</button>
</form>
<details${problem?.isRecovery === true && html` open`}>
<summary>${recovery.open}</summary>
<form method="post" action="${action}">
${hidden}
${field({
  name: "recovery",
  label: recovery.code,
  hint: recovery.hint,
  error: errorOf(true),
  attributes: html`${RECOVERY_ATTRIBUTES} required`,
})}
<button class="secondary">${submit}</button>
</form>
</details>`,
  });
}
