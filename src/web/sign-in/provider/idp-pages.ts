import { html } from "../../../html.ts";
import type { SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import type { RegistrationFields } from "../../../sign-in/check-entered.ts";
import type { CheckedRegistration } from "../../../sign-in/provider/check-registration.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { detailsList } from "../../frame/details-list.ts";
import { field } from "../../frame/field.ts";
import type { PageResponse } from "../../frame/page.ts";
import { type GateForm, gateFields } from "../gate-form.ts";
import type { SignInVisit } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";
import type { IdpProblem } from "./idp-failure.ts";

/** The values of the `do` buttons. */
export const IDP_ACTIONS = {
  /** Signs in to an existing account, and links it. */
  toLink: "to-link",
  toRegister: "to-register",
  register: "register",
  link: "link",
  skip: "skip",
} as const;

type Idp = Pick<SignInIdp, "name" | "isLinkingAllowed">;

/** The hidden fields of a form for an external user who is not linked. */
interface ExternalForm {
  readonly token: string;
  /** The data that the provider has confirmed, encrypted. */
  readonly external: string;
}

/** The page for a provider that cannot be used. The log has the cause. */
export function idpFailedPage({ signIn, language }: SignInVisit, { name }: Idp, problem: IdpProblem): PageResponse {
  const { title, back, ...texts } = language.texts.signIn.idp.failed;
  return stepPage(language, {
    status: 502,
    title: fillIn(title, { name }),
    icon: "problem",
    content: html`<p>${fillIn(texts[problem], { name })}</p>
<p><a class="button" href="${stepPath(signIn, "signIn")}">${back}</a></p>`,
  });
}

/** Asks an external user who is not linked whether there is an account. */
export function unknownUserPage(
  { signIn, language }: SignInVisit,
  { name, isLinkingAllowed }: Idp,
  { token, external, mayRegister }: ExternalForm & { readonly mayRegister: boolean },
): PageResponse {
  const { unknown, failed } = language.texts.signIn.idp;
  const isClosed = !isLinkingAllowed && !mayRegister;
  return stepPage(language, {
    title: unknown.title,
    content: html`<p>${fillIn(unknown.text, { name, org: signIn.org.shownName ?? signIn.app.name })}</p>
<form method="post" action="${stepPath(signIn, "external")}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="external" value="${external}">
${
  isLinkingAllowed &&
  html`<p class="hint" id="link-hint">${unknown.linkHint}</p>
<button name="do" value="${IDP_ACTIONS.toLink}" aria-describedby="link-hint">${unknown.link}</button>`
}
${mayRegister && html`<button${isLinkingAllowed && html` class="secondary"`} name="do" value="${IDP_ACTIONS.toRegister}">${unknown.register}</button>`}
${isClosed && html`<p>${unknown.closed}</p><p><a class="button" href="${stepPath(signIn, "signIn")}">${failed.back}</a></p>`}
</form>`,
  });
}

/** What is wrong with a submitted registration. */
export interface RefusedRegistration {
  readonly invalid?: (CheckedRegistration & { ok: false })["invalid"];
  readonly isForeignAddress?: boolean | undefined;
  readonly isNameTaken?: boolean | undefined;
}

interface RegisterForm extends ExternalForm, RefusedRegistration {
  readonly fields: RegistrationFields;
}

export function registerPage(
  { signIn, language }: SignInVisit,
  { name, isLinkingAllowed }: Idp,
  { token, external, fields, invalid = new Set(), isForeignAddress = false, isNameTaken = false }: RegisterForm,
): PageResponse {
  const { register, unknown } = language.texts.signIn.idp;
  const nameProblem = isForeignAddress ? register.foreignAddress : isNameTaken ? register.taken : undefined;
  const hasProblem = invalid.size > 0 || nameProblem !== undefined;
  const input = (key: keyof RegistrationFields, label: string, type: string, autocomplete: string) =>
    field({
      name: key,
      label,
      error: invalid.has(key) ? register.invalid : key === "userName" ? nameProblem : undefined,
      attributes: html`type="${type}" value="${fields[key]}" autocomplete="${autocomplete}" required`,
    });
  return stepPage(language, {
    status: hasProblem ? 422 : 200,
    title: register.title,
    content: html`<p>${fillIn(register.text, { name })}</p>
<form method="post" action="${stepPath(signIn, "external")}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="external" value="${external}">
${input("firstName", register.firstName, "text", "given-name")}
${input("lastName", register.lastName, "text", "family-name")}
${input("email", register.email, "email", "email")}
${input("userName", language.texts.signIn.userName, "text", "username")}
<button name="do" value="${IDP_ACTIONS.register}">${register.submit}</button>
${isLinkingAllowed && html`<button class="secondary" name="do" value="${IDP_ACTIONS.toLink}" formnovalidate>${unknown.link}</button>`}
</form>`,
  });
}

/** Says which account an external user was linked to without a question. */
export function linkedPage(
  { signIn, language }: SignInVisit,
  { name }: Idp,
  form: GateForm & { readonly userName: string; readonly email: string },
): PageResponse {
  const { linked } = language.texts.signIn.idp;
  return stepPage(language, {
    title: linked.title,
    content: html`<p>${fillIn(linked.text, { name, email: form.email })}</p>
${detailsList([[language.texts.signIn.userName, form.userName]])}
<form method="post" action="${stepPath(signIn, "link")}">
${gateFields(form)}
<button name="do" value="${IDP_ACTIONS.skip}">${linked.submit}</button>
</form>`,
  });
}

/** Asks the signed-in user whether to link the external user to the account. */
export function confirmLinkPage(
  { signIn, language }: SignInVisit,
  { name }: Idp,
  form: GateForm & { readonly userName: string; readonly externalName: string; readonly hasFailed: boolean },
): PageResponse {
  const { confirm } = language.texts.signIn.idp;
  return stepPage(language, {
    status: form.hasFailed ? 422 : 200,
    title: fillIn(confirm.title, { name }),
    content: html`<p>${fillIn(confirm.text, { name })}</p>
${form.hasFailed && html`<p class="error" role="alert">${confirm.failed}</p>`}
${detailsList([
  [language.texts.signIn.userName, form.userName],
  [confirm.external, form.externalName],
])}
<form method="post" action="${stepPath(signIn, "link")}">
${gateFields(form)}
<button name="do" value="${IDP_ACTIONS.link}">${confirm.submit}</button>
<button class="secondary" name="do" value="${IDP_ACTIONS.skip}">${confirm.skip}</button>
</form>`,
  });
}
