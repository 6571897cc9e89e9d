import { html } from "../../../html.ts";
import type { PasskeyRequestOptions } from "../../../passkeys/ceremony.ts";
import type { SignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { formatDay } from "../../frame/format-time.ts";
import type { PageResponse } from "../../frame/page.ts";
import { renderPage, type SubmitProblem } from "../../frame/render-page.ts";
import { PASSKEY_SIGN_IN_SCRIPT, passkeyPart } from "../first-page/passkey-part.ts";
import { backToSignIn, type GateForm, gateFields } from "../gate-form.ts";
import type { SignInVisit } from "../sign-in-parts.ts";
import { stepPath } from "../steps.ts";
import { codesList, type NewSecret, RECOVERY_CODES_SCRIPT, secretForm } from "./new-codes.ts";

/** The values of the `do` buttons. */
export const FACTOR_ACTIONS = { app: "app", passkey: "passkey", later: "later", code: "code" } as const;

/** Asks a user without a second factor to set one up. */
export function chooseFactorPage(
  { signIn, language }: SignInVisit,
  form: GateForm & {
    readonly allowsPasskey: boolean;
    /** When the second factor is required, if the user can postpone it until then. */
    readonly postponableUntil: string | undefined;
  },
): PageResponse {
  const { title, text, until, app, passkey, later } = language.texts.signIn.secondFactor;
  const { postponableUntil } = form;
  return renderPage({
    language,
    title,
    leadsAway: true,
    content: html`<p>${postponableUntil === undefined ? text : fillIn(until, { day: formatDay(language, postponableUntil) })}</p>
<form method="post" action="${stepPath(signIn, "second-factor")}">
${gateFields(form)}
<button name="do" value="${FACTOR_ACTIONS.app}">${app}</button>
${form.allowsPasskey && html`<button class="secondary" name="do" value="${FACTOR_ACTIONS.passkey}">${passkey}</button>`}
${postponableUntil !== undefined && html`<button class="secondary" name="do" value="${FACTOR_ACTIONS.later}">${later}</button>`}
</form>
${backToSignIn({ signIn, language })}`,
  });
}

/** Shows a new secret of one-time codes, and asks for its first code. */
export function setUpFactorPage(
  { signIn, language }: SignInVisit,
  user: SignInUser,
  form: GateForm & NewSecret,
): PageResponse {
  const { back } = language.texts.signIn.secondFactor;
  return renderPage({
    status: form.problem === undefined ? 200 : 422,
    language,
    title: language.texts.accountForms.setUpCodes.title,
    leadsAway: true,
    content: secretForm(language, user.userName, form, {
      action: stepPath(signIn, "second-factor"),
      hidden: gateFields(form),
      button: html` name="do" value="${FACTOR_ACTIONS.code}"`,
      // Any other value shows the choice again.
      below: html`<p class="cancel"><button class="link" name="do" value="back" formnovalidate>${back}</button></p>`,
    }),
  });
}

/** Shows the recovery codes of the new one-time codes, then continues with the sign-in. */
export function savedFactorPage(
  { signIn, language }: SignInVisit,
  { codes, heading, ...form }: GateForm & { readonly codes: readonly string[]; readonly heading: string },
): PageResponse {
  const { title, text } = language.texts.accountForms.recoveryCodes;
  return renderPage({
    language,
    title,
    leadsAway: true,
    scripts: [RECOVERY_CODES_SCRIPT],
    content: html`<p>${text}</p>
${codesList(language, codes, heading)}
<form method="post" action="${stepPath(signIn, "passkey-offer")}">
${gateFields(form)}
<button>${language.texts.signIn.oneTimeCode.submit}</button>
</form>`,
  });
}

/** Asks a user with a passkey to use it after the password. */
export function confirmFactorPage(
  visit: SignInVisit,
  form: GateForm & { readonly options: PasskeyRequestOptions; readonly problem?: SubmitProblem | undefined },
): PageResponse {
  const { title, text, needsScript } = visit.language.texts.signIn.secondFactor.confirm;
  const { problem } = form;
  return renderPage({
    language: visit.language,
    title,
    leadsAway: true,
    scripts: [PASSKEY_SIGN_IN_SCRIPT],
    problem,
    content: html`<p>${text}</p>
${problem !== undefined && html`<p class="notice bad" role="alert">${problem.text}</p>`}
<noscript><p class="error">${needsScript}</p></noscript>
<div id="other-ways" hidden>
${passkeyPart(visit, { token: form.token, options: form.options, step: "second-factor", proof: form.proof })}</div>
${backToSignIn(visit)}`,
  });
}
