import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { html } from "../../../html.ts";
import type { PersonFields } from "../../../sign-in/check-entered.ts";
import type { PendingRegistration } from "../../../sign-in/register/registration.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { field, PASSWORD_FIELD_SCRIPT } from "../../frame/field.ts";
import { note, notePage } from "../../frame/note.ts";
import type { PageResponse, Visit } from "../../frame/page.ts";
import { renderInBranding } from "../../frame/render-page.ts";
import { signInLink } from "../../frame/sign-in-link.ts";
import { newPasswordFields, type RefusedPassword } from "../../links/new-password-fields.ts";
import { ceremonyTexts, createPasskeyScript } from "../../links/passkey-ceremony.ts";
import type { Restart } from "../ended-page.ts";
import { PASSKEY_ICON } from "../first-page/idp-choice.ts";
import type { SignInParts, SignInVisit } from "../sign-in-parts.ts";
import { backButton, stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";

/** The script of the page that completes a registration with a passkey. */
export const REGISTER_SCRIPT = createPasskeyScript("/ui/register.js", new URL("./register-client.js", import.meta.url));

export function registrationPage(
  { formTokens }: SignInParts,
  { signIn, language }: SignInVisit,
  email: string,
  isInvalid = false,
): PageResponse {
  const { registration } = language.texts.signIn;
  return stepPage(language, {
    status: isInvalid ? 422 : 200,
    title: registration.title,
    content: html`<p>${registration.text}</p>
<form method="post" action="${stepPath(signIn, "register")}">
<input type="hidden" name="token" value="${formTokens.create(signIn.id)}">
${field({
  name: "email",
  label: registration.email,
  error: isInvalid ? registration.invalidEmail : undefined,
  attributes: html`type="email" value="${email}" autocomplete="email" required${!isInvalid && html` autofocus`}`,
})}
<button>${registration.submit}</button>
${backButton(language)}
</form>`,
  });
}

/** What is wrong with a form that was submitted. */
export type FinishError =
  | "firstName"
  | "lastName"
  | "userName"
  | "foreignAddress"
  | "taken"
  | "refused"
  | RefusedPassword;

interface FinishForm {
  readonly action: string;
  readonly code: string;
  /** Absent in another browser. */
  readonly token: string | undefined;
  readonly values: PersonFields;
  readonly error: FinishError | undefined;
  readonly allowsPassword: boolean;
  /** Absent if passkeys are not allowed. */
  readonly passkeyOptions: PublicKeyCredentialCreationOptionsJSON | undefined;
}

/** The form for the name and the password, or a passkey. */
export function finishPage({ language }: Visit, { email }: PendingRegistration, form: FinishForm): PageResponse {
  const { finish } = language.texts.signIn.registration;
  const { outcomes } = language.texts.links.passkey;
  const { action, code, token, values, error, allowsPassword, passkeyOptions } = form;
  const refusedPassword = typeof error === "object" ? error : undefined;
  const nameProblem = error === "foreignAddress" || error === "taken" ? finish[error] : undefined;
  const isNameShown = error === "userName" || nameProblem !== undefined || values.userName !== email;
  const input = (name: keyof PersonFields, label: string, autocomplete: string, isFirst = false) =>
    field({
      name,
      label,
      error: error === name ? finish.invalid : name === "userName" ? nameProblem : undefined,
      attributes: html`type="text" value="${values[name]}" autocomplete="${autocomplete}" data-person required${isFirst && error === undefined && html` autofocus`}`,
    });
  return stepPage(language, {
    status: error === undefined ? 200 : 422,
    title: finish.title,
    scripts: [
      ...(passkeyOptions === undefined ? [] : [REGISTER_SCRIPT]),
      ...(allowsPassword ? [PASSWORD_FIELD_SCRIPT] : []),
    ],
    content: html`<p>${fillIn(finish.text, { email })}</p>
<form id="register" method="post" action="${action}"${passkeyOptions !== undefined && html` data-options="${JSON.stringify(passkeyOptions)}"`}>
${token !== undefined && html`<input type="hidden" name="token" value="${token}">`}
<input type="hidden" name="code" value="${code}">
${input("firstName", finish.firstName, "given-name", true)}
${input("lastName", finish.lastName, "family-name")}
${isNameShown && input("userName", finish.userName, "off")}
${allowsPassword && newPasswordFields({ userName: values.userName }, language, { isRequired: true, refused: refusedPassword })}
${allowsPassword && html`<button>${finish.password}</button>`}
${!allowsPassword && html`<noscript><p class="error">${finish.needsScript}</p></noscript>`}
${
  passkeyOptions !== undefined &&
  html`<div id="passkey-way" hidden>
${ceremonyTexts(outcomes)}
${allowsPassword && html`<p class="or">${language.texts.signIn.idp.or}</p>`}
<p id="passkey-status" role="status"></p>
<p id="passkey-problem" class="error" role="alert">${error === "refused" && finish.refused}</p>
<button type="button" id="use-passkey"${allowsPassword && html` class="secondary"`}>${PASSKEY_ICON}<span>${allowsPassword ? finish.passkey : finish.password}</span></button>
</div>`
}
</form>`,
  });
}

/** The user has registered in another browser than the one in which the application waits. */
export function readyPage(
  { language }: Visit,
  { email, orgId }: PendingRegistration,
  restart: Restart | undefined,
): PageResponse {
  const { title, text, next } = language.texts.signIn.registration.ready;
  const toApp =
    restart && html`<p><a class="button" href="${restart.url}">${fillIn(next, { app: restart.name })}</a></p>`;
  const texts = { title, text: fillIn(text, { email }) };
  return notePage(language, texts, { icon: "done", next: toApp ?? signInLink(language, orgId) });
}

/** An account with the address was created after the registration was requested. */
export function addressTakenPage({ language }: Visit, { email, orgId }: PendingRegistration): PageResponse {
  const { title, text } = language.texts.signIn.registration.taken;
  const texts = { title, text: fillIn(text, { email }) };
  return notePage(language, texts, { status: 410, icon: "problem", next: signInLink(language, orgId) });
}

/** @param restartUrl Where to start again; undefined if it is not known. */
export function linkOverPage({ language }: Visit, restartUrl: string | undefined): PageResponse {
  return renderInBranding(language.tag, ({ texts }) => {
    const { over } = texts.signIn.registration;
    const next = restartUrl ? html`<p><a class="button" href="${restartUrl}">${over.again}</a></p>` : undefined;
    return note(over, { status: 410, icon: "problem", next });
  });
}
