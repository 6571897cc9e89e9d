import type { FoundCode } from "../../codes/find-code.ts";
import { type Html, html } from "../../messages/html.ts";
import { SHORTEST_PASSWORD } from "../../passwords/policy.ts";
import { needsPassword } from "../../users/initialize-human.ts";
import { field } from "../frame/field.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { detailsList } from "./link-pages.ts";
import { INIT_TEXTS, type InitTexts, type PasswordError } from "./texts/init-texts.ts";

export const INIT_PATH = "/ui/init";

/** The form by which a user confirms the address and, where none is stored, sets a password. */
export function initPage(code: FoundCode, { language }: Visit, error?: PasswordError): PageResponse {
  const texts = INIT_TEXTS[language];
  const { user } = code;
  const { title, text } = user.hasPassword ? texts.confirm : texts.setUp;
  return renderPage({
    status: error === undefined ? 200 : 422,
    language,
    title,
    content: html`<p>${text}</p>
${detailsList([
  [texts.name, user.displayName],
  [texts.email, user.email],
])}
<form method="post" action="${INIT_PATH}">
<input type="hidden" name="code" value="${code.text}">
${!user.hasPassword && passwordFields(code, texts, error)}
<button>${user.hasPassword ? texts.confirmButton : texts.finish}</button>
</form>`,
  });
}

/** The user name is there for password managers, which store it with the password. */
function passwordFields(code: FoundCode, texts: InitTexts, error: PasswordError | undefined): Html {
  const isRequired = needsPassword(code);
  const rule = texts.passwordRule(SHORTEST_PASSWORD);
  const attributes = html`type="password" autocomplete="new-password" minlength="${SHORTEST_PASSWORD}"${isRequired && " required"}`;
  return html`<input type="text" name="username" value="${code.user.userName}" autocomplete="username" hidden>
${field({
  name: "password",
  label: texts.password,
  hint: isRequired ? rule : `${texts.passwordOptional} ${rule}`,
  // Where the two differ, both are entered again: the focus is on the first.
  error: error && texts.errors[error],
  attributes,
})}
${field({ name: "repeat", label: texts.repeat, attributes })}`;
}

export function initDonePage({ language }: Visit, setsPassword: boolean): PageResponse {
  const { title, withPassword, withoutPassword } = INIT_TEXTS[language].done;
  const content = html`<p>${setsPassword ? withPassword : withoutPassword}</p>`;
  return renderPage({ language, title, mood: "done", content });
}
