import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import { SHORTEST_PASSWORD } from "../../passwords/policy.ts";
import { field } from "./field.ts";
import { PASSWORD_TEXTS, type PasswordError } from "./password-texts.ts";

/** A new password that was refused, and the maximum length in bytes. */
export interface RefusedPassword {
  readonly error: PasswordError;
  readonly longestPassword: number;
}

export interface NewPasswordFields {
  readonly userName: string;
  readonly language: Language;
  readonly isRequired: boolean;
  /** Precedes the rule about the length. */
  readonly hint?: string;
  readonly refused: RefusedPassword | undefined;
}

/**
 * The fields `password` and `repeat`, for a new password. The user name is for password managers, which store it with the
 * password.
 */
export function newPasswordFields({ userName, language, isRequired, hint, refused }: NewPasswordFields): Html {
  const { rule, password, repeat } = PASSWORD_TEXTS[language];
  const attributes = html`type="password" autocomplete="new-password" minlength="${SHORTEST_PASSWORD}"${isRequired && " required"}`;
  return html`<input type="text" name="username" value="${userName}" autocomplete="username" hidden>
${field({
  name: "password",
  label: password,
  hint: [hint, rule(SHORTEST_PASSWORD)].filter(Boolean).join(" "),
  // If the two passwords differ, both are entered again, so the error and the focus are on the first field.
  error: refused && describePasswordError(language, refused),
  attributes,
})}
${field({ name: "repeat", label: repeat, attributes })}`;
}

export function describePasswordError(language: Language, { error, longestPassword }: RefusedPassword): string {
  const { errors } = PASSWORD_TEXTS[language];
  return error === "too-long" ? errors[error](longestPassword) : errors[error];
}
