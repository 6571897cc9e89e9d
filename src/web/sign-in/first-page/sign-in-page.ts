import { type Html, html } from "../../../html.ts";
import type { PasskeyRequestOptions } from "../../../passkeys/ceremony.ts";
import type { LoginPolicy } from "../../../policies/login-policy.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { field, PASSWORD_FIELD_SCRIPT, passwordField } from "../../frame/field.ts";
import type { renderPage, SubmitProblem } from "../../frame/render-page.ts";
import { canResetPassword } from "../allowed.ts";
import { identifierTexts } from "../identifier-texts.ts";
import type { SignInVisit } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { CANCEL, OPEN_FORGOTTEN, OPEN_REGISTRATION, OTHER_IDENTIFIER, stepPath } from "../steps.ts";
import { type IdpChoice, idpButtons, idpSearchForm } from "./idp-choice.ts";
import { PASSKEY_SIGN_IN_SCRIPT, passkeyPart } from "./passkey-part.ts";

const FORM_ID = "sign-in";

export interface SignInForm {
  /** The value of the hidden field `token`. */
  readonly token: string;
  readonly userName: string;
  readonly remember: boolean;
  readonly passkeyOptions: PasskeyRequestOptions;
  readonly choice: IdpChoice;
  readonly canRegister: boolean;
  /** Describes the purpose of the sign-in if it is not signing in to the application. */
  readonly notice?: string | undefined;
  readonly problem?: SignInProblem;
  /** Whether nothing can be used, and no script shows what browsers with passkeys have. */
  readonly isPreview?: true;
}

/** What is wrong with a submitted form. */
export interface SignInProblem extends SubmitProblem {
  /** What to know about the field of the identifier. */
  readonly aboutIdentifier?: string | undefined;
  /** Whether the form's page has expired, in which case the values did not cause the problem. */
  readonly isAboutPage?: true;
}

/** The ways to sign in that the login policy allows. Of what was entered, only the user name is rendered again. */
export function signInPage(visit: SignInVisit, form: SignInForm): ReturnType<typeof renderPage> {
  const { signIn, language } = visit;
  const { allowUsernamePassword } = signIn.policy;
  const texts = language.texts.signIn;
  const { token, remember, notice, problem } = form;
  return stepPage(language, {
    title: fillIn(texts.titleFor, { app: signIn.app.name }),
    scripts: scriptsOf(signIn.policy),
    problem,
    content: html`${visit.shownOrgName !== undefined && html`<p class="lead">${visit.shownOrgName}</p>`}
${notice !== undefined && html`<p>${notice}</p>`}
${problem?.isAboutPage && html`<p class="notice bad" role="alert">${problem.text}</p>`}
<form id="${FORM_ID}" method="post" action="${stepPath(signIn, "signIn")}">
<input type="hidden" name="token" value="${token}">
${allowUsernamePassword && passwordFields(visit, form)}
<label class="check"><input type="checkbox" name="remember" value="yes"${remember && html` checked`}> ${texts.remember}</label>
${allowUsernamePassword && html`<button>${texts.submit}</button>`}
</form>
${otherWays(visit, form)}
${signIn.discovery !== undefined && html`<p class="cancel"><button class="link" form="${FORM_ID}" formaction="${stepPath(signIn, "identify")}" name="do" value="${OTHER_IDENTIFIER}" formnovalidate>${texts.discovery.other}</button></p>`}
${form.canRegister && html`<p class="cancel"><button class="link" form="${FORM_ID}" formaction="${stepPath(signIn, "register")}" name="do" value="${OPEN_REGISTRATION}" formnovalidate>${texts.registration.open}</button></p>`}
<p class="cancel"><button class="link" form="${FORM_ID}" name="do" value="${CANCEL}" formnovalidate>${texts.cancel}</button></p>`,
  });
}

function scriptsOf({ allowPasswordless, allowUsernamePassword }: LoginPolicy) {
  return [
    ...(allowPasswordless ? [PASSKEY_SIGN_IN_SCRIPT] : []),
    ...(allowUsernamePassword ? [PASSWORD_FIELD_SCRIPT] : []),
  ];
}

function passwordFields(visit: SignInVisit, { userName, problem, isPreview }: SignInForm): Html {
  const { signIn, language } = visit;
  const texts = language.texts.signIn;
  const focus = !isPreview && html` autofocus`;
  const hasFieldError = problem !== undefined && problem.isAboutPage === undefined;
  const autofill = signIn.policy.allowPasswordless ? "username webauthn" : "username";
  // The enter key presses the first button of a form. Not `hidden`, because Safari would skip it then. Others may thus come
  // before the visible main button.
  return html`<button class="default" tabindex="-1" aria-hidden="true">${texts.submit}</button>
${field({
  name: "username",
  label: identifierTexts(visit).label,
  remark: problem?.aboutIdentifier,
  attributes: html`type="text" value="${userName}" autocomplete="${autofill}" autocapitalize="none" spellcheck="false" required${userName === "" && !hasFieldError && focus}`,
})}
${passwordField(language, {
  name: "password",
  label: texts.password,
  error: hasFieldError ? problem.text : undefined,
  attributes: html`autocomplete="current-password" required${userName !== "" && !hasFieldError && focus}`,
  ...(canResetPassword(signIn) && {
    aside: html`<button class="link" formaction="${stepPath(signIn, "forgotten")}" name="do" value="${OPEN_FORGOTTEN}" formnovalidate>${texts.forgotten}</button>`,
  }),
})}`;
}

/** The ways to sign in without a password. The page's script shows them if a passkey is the only one. */
function otherWays(visit: SignInVisit, { token, passkeyOptions, choice, isPreview }: SignInForm): Html {
  const { or } = visit.language.texts.signIn.idp;
  const { allowPasswordless, allowUsernamePassword } = visit.signIn.policy;
  const hidden = html`<input type="hidden" name="token" value="${token}">`;
  const isShown = choice.idps.length > 0 || (isPreview && allowPasswordless);
  return html`<div id="other-ways"${!isShown && html` hidden`}>
${allowUsernamePassword && html`<p class="or">${or}</p>`}
${allowPasswordless && passkeyPart(visit, { hidden, options: passkeyOptions, isPreview })}
${idpSearchForm(visit, choice)}
${idpButtons(visit, choice, FORM_ID)}</div>`;
}
