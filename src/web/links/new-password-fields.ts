import type { Config } from "../../config.ts";
import { type Html, html } from "../../html.ts";
import { findPasswordProblem, LONGEST_PASSWORD, SHORTEST_PASSWORD } from "../../passwords/policy.ts";
import { TEXTS } from "../../texts/languages.ts";
import type { PageLanguage, PageTexts } from "../../texts/page-language.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { passwordField } from "../frame/field.ts";

type PasswordError = keyof PageTexts["frame"]["password"]["errors"];

export interface RefusedPassword {
  readonly error: PasswordError;
  /** In bytes. */
  readonly longestPassword: number;
}

interface Names {
  readonly userName: string;
  readonly displayName: string;
  readonly email: string;
}

/** Checks the two fields of a new password. Returns undefined if it is accepted. */
export function checkNewPassword(
  { passwordHash, publicUrl }: Pick<Config, "passwordHash" | "publicUrl">,
  { userName, displayName, email }: Names,
  password: string,
  repeat: string,
): RefusedPassword | undefined {
  const longestPassword = LONGEST_PASSWORD[passwordHash];
  if (password === "" && repeat === "") return { error: "missing", longestPassword };
  const names = [userName, displayName, email, "Signet", new URL(publicUrl).hostname];
  const problem = findPasswordProblem(password, { longest: longestPassword, names });
  const error = problem ?? (password === repeat ? undefined : "different");
  return error && { error, longestPassword };
}

/** The problem in the URL to which a rejected form redirects; undefined if there is none. */
export function readPasswordError(
  { passwordHash }: Pick<Config, "passwordHash">,
  query: URLSearchParams,
): RefusedPassword | undefined {
  const error = query.get("error") ?? "";
  if (!Object.hasOwn(TEXTS.en.frame.password.errors, error)) return undefined;
  return { error: error as PasswordError, longestPassword: LONGEST_PASSWORD[passwordHash] };
}

/**
 * The fields `password` and `repeat`, for a new password, on a page with PASSWORD_FIELD_SCRIPT. The user name is for password managers, which store it with
 * the password; empty if it is the value of another field.
 */
export function newPasswordFields(
  { userName }: Pick<Names, "userName">,
  language: PageLanguage,
  {
    isRequired,
    refused,
    current,
  }: {
    readonly isRequired: boolean;
    readonly refused: RefusedPassword | undefined;
    /** The field for the current password. */
    readonly current?: Html;
  },
): Html {
  const texts = language.texts.links.init;
  const rule = fillIn(language.texts.frame.password.rule, { characters: SHORTEST_PASSWORD });
  const attributes = html`autocomplete="new-password" minlength="${SHORTEST_PASSWORD}"${isRequired && " required"}`;
  return html`${userName !== "" && html`<input type="text" name="username" value="${userName}" autocomplete="username" hidden>`}
${current}
${passwordField(language, {
  name: "password",
  label: texts.password,
  hint: isRequired ? rule : `${texts.passwordOptional} ${rule}`,
  // If the two passwords differ, the user must re-enter both, so the first field has the error and the focus.
  error: refused && describeError(language, refused),
  attributes,
})}
${passwordField(language, { name: "repeat", label: texts.repeat, attributes })}`;
}

function describeError(language: PageLanguage, { error, longestPassword }: RefusedPassword): string {
  const { errors } = language.texts.frame.password;
  return error === "too-long" ? fillIn(errors[error], { bytes: longestPassword }) : errors[error];
}
