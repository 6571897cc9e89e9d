import { CONSOLE_PATHS } from "../../apps/console-app.ts";
import { type Html, html } from "../../html.ts";
import { FIRST_ADMINISTRATOR_PATH } from "../../instance/administrator-link.ts";
import type { RegistrationFields } from "../../sign-in/check-entered.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { field, PASSWORD_FIELD_SCRIPT } from "../frame/field.ts";
import { note } from "../frame/note.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderInBranding, renderPage } from "../frame/render-page.ts";
import { newPasswordFields, type RefusedPassword } from "./new-password-fields.ts";

export type AdministratorFields = Omit<RegistrationFields, "userName">;

/** A field that is missing or invalid; `taken`: another user has the address. */
export type AdministratorError = keyof AdministratorFields | "taken";

const ERRORS: readonly string[] = ["firstName", "lastName", "email", "taken"] satisfies AdministratorError[];

export function isFieldError(text: string): text is AdministratorError {
  return ERRORS.includes(text);
}

interface AdministratorForm {
  readonly code: string;
  readonly fields: AdministratorFields;
  readonly refused: AdministratorError | RefusedPassword | undefined;
}

/** The form for the name, the address and the password. */
export function administratorPage({ language }: Visit, { code, fields, refused }: AdministratorForm): PageResponse {
  const { create, taken } = language.texts.links.firstAdministrator;
  const { registration } = language.texts.signIn;
  const { firstName, lastName, invalid } = registration.finish;
  const emailError = refused === "email" ? registration.invalidEmail : refused === "taken" ? taken : undefined;
  return renderPage({
    status: refused === undefined ? 200 : 422,
    language,
    title: create.title,
    scripts: [PASSWORD_FIELD_SCRIPT],
    // The sign-in follows.
    leadsAway: true,
    content: html`<p>${create.text}</p>
<form method="post" action="${FIRST_ADMINISTRATOR_PATH}">
<input type="hidden" name="code" value="${code}">
${field({
  name: "firstName",
  label: firstName,
  error: refused === "firstName" ? invalid : undefined,
  attributes: html`type="text" value="${fields.firstName}" autocomplete="given-name" required${refused === undefined && html` autofocus`}`,
})}
${field({
  name: "lastName",
  label: lastName,
  error: refused === "lastName" ? invalid : undefined,
  attributes: html`type="text" value="${fields.lastName}" autocomplete="family-name" required`,
})}
${field({
  name: "email",
  label: registration.email,
  error: emailError,
  // Password managers store it with the password.
  attributes: html`type="email" value="${fields.email}" autocomplete="username" required`,
})}
${newPasswordFields({ userName: "" }, language, { isRequired: true, refused: typeof refused === "object" ? refused : undefined })}
<button>${create.button}</button>
</form>`,
  });
}

/** The page without the link. */
export function noAdministratorPage({ language }: Visit): PageResponse {
  return renderInBranding(language.tag, (shown) => {
    const next = html`${newLink(shown)}\n${toConsole(shown)}`;
    return note(shown.texts.links.firstAdministrator.missing, { next });
  });
}

/** The page for a link that cannot be used. */
export function unusableAdministratorLinkPage({ language }: Visit, isOver: boolean): PageResponse {
  return renderInBranding(language.tag, (shown) => {
    const next = isOver ? toConsole(shown) : newLink(shown);
    return note(shown.texts.links.firstAdministrator.over, { status: 410, icon: "problem", next });
  });
}

function newLink({ texts }: PageLanguage): Html {
  return html`<p>${texts.links.firstAdministrator.newLink}</p>
<p><code>signet admin link</code></p>`;
}

function toConsole({ texts }: PageLanguage): Html {
  return html`<p class="cancel"><a href="${CONSOLE_PATHS.root}">${texts.links.firstAdministrator.signIn}</a></p>`;
}
