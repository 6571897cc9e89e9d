import type { CodeUser } from "../../codes/find-code.ts";
import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import { SHORTEST_PASSWORD } from "../../passwords/policy.ts";
import { field } from "../frame/field.ts";
import { INIT_TEXTS, type PasswordError } from "./texts/init-texts.ts";

/**
 * The fields `password` and `repeat`, for a new password. The user name is for password managers, which store it with the
 * password.
 */
export function newPasswordFields(
  { userName }: CodeUser,
  language: Language,
  { isRequired, error }: { readonly isRequired: boolean; readonly error: PasswordError | undefined },
): Html {
  const texts = INIT_TEXTS[language];
  const rule = texts.passwordRule(SHORTEST_PASSWORD);
  const attributes = html`type="password" autocomplete="new-password" minlength="${SHORTEST_PASSWORD}"${isRequired && " required"}`;
  return html`<input type="text" name="username" value="${userName}" autocomplete="username" hidden>
${field({
  name: "password",
  label: texts.password,
  hint: isRequired ? rule : `${texts.passwordOptional} ${rule}`,
  // If the two passwords differ, both are entered again, so the error and the focus are on the first field.
  error: error && texts.errors[error],
  attributes,
})}
${field({ name: "repeat", label: texts.repeat, attributes })}`;
}
