import { NAME_FIELDS } from "../database/profile.ts";
import { trimText } from "../fields/trim-text.ts";
import { findPasswordProblem, type PasswordProblem } from "../passwords/policy.ts";
import { chooseLanguage } from "../texts/languages.ts";
import type { HumanRequest } from "../users/import/check-import-human-user.ts";
import { parseTotpSecret } from "./code/totp.ts";

/** Why an import warns about a value (`ImportHumanUserResponse.Warning`). */
type WarningReason =
  | "PASSWORD_WEAK"
  | "OTP_CODE_UNUSABLE"
  | "RECOVERY_CODES_IGNORED"
  | "LANGUAGE_IGNORED"
  | "NAME_CLEANED"
  | "PHONE_EXTENSION_DROPPED"
  | "PHONE_PARAMETER_DROPPED";

/** A value of an import that was accepted, but changed, or that has no effect. */
interface ImportWarning {
  /** JSON path. */
  readonly field: string;
  readonly reason: WarningReason;
  readonly description: string;
}

/** A request that `checkImportHumanUser` has accepted. */
type ImportedRequest = HumanRequest & { readonly passkeys?: readonly { readonly name: string }[] };

/** Finds what the caller of an import should know about values that were accepted. Never contains a value. */
export function findImportWarnings(request: ImportedRequest): ImportWarning[] {
  const { profile, phone, otpCode, recoveryCodes = [], passwordChangeRequired, password = "" } = request;
  const weakness =
    password === "" || passwordChangeRequired ? undefined : findPasswordProblem(password, { names: namesOf(request) });
  const hasUsableCode = otpCode === "" || parseTotpSecret(otpCode) !== undefined;
  const language = profile?.preferredLanguage.trim() ?? "";
  const parameters = phone?.phone?.includes(";") ? phone.phone : "";
  const hasExtension = /;(?:ext|isub)=/i.test(parameters);
  return [
    ...cleanedNames(request),
    warn(language !== "" && chooseLanguage(language.replaceAll("_", "-")) === undefined, "profile.preferredLanguage", {
      reason: "LANGUAGE_IGNORED",
      description: "is stored, but messages and pages are not available in this language",
    }),
    warn(hasExtension, "phone.phone", {
      reason: "PHONE_EXTENSION_DROPPED",
      description: "was stored without its extension or subaddress",
    }),
    warn(parameters !== "" && !hasExtension, "phone.phone", {
      reason: "PHONE_PARAMETER_DROPPED",
      description: "was stored without its parameters",
    }),
    warn(weakness !== undefined, "password", {
      reason: "PASSWORD_WEAK",
      description: `${weakness && WEAKNESSES[weakness]}; users may not choose it themselves`,
    }),
    warn(!hasUsableCode, "otpCode", {
      reason: "OTP_CODE_UNUSABLE",
      description: "is neither base32 nor an otpauth://totp URI, so sign-ins do not ask for one-time codes",
    }),
    warn(!hasUsableCode && recoveryCodes.length > 0, "recoveryCodes", {
      reason: "RECOVERY_CODES_IGNORED",
      description: "are not asked for, because otpCode is unusable",
    }),
  ].flat();
}

function warn(isTrue: boolean, field: string, warning: Omit<ImportWarning, "field">): ImportWarning[] {
  return isTrue ? [{ field, ...warning }] : [];
}

const WEAKNESSES: Readonly<Record<PasswordProblem, string>> = {
  "too-short": "has fewer than 8 characters",
  "too-long": "is too long",
  "not-text": "has characters that browsers replace",
  common: "is one of the most common passwords",
  personal: "consists of the user's names",
};

function cleanedNames({ userName, profile, email, idps, passkeys = [] }: ImportedRequest): ImportWarning[] {
  const names: readonly (readonly [string, string | undefined])[] = [
    ["userName", userName],
    ...NAME_FIELDS.map((name) => [`profile.${name}`, profile?.[name]] as const),
    ["email.email", email?.email],
    ...idps.map(({ displayName }, at) => [`idps[${at}].displayName`, displayName] as const),
    ...passkeys.map(({ name }, at) => [`passkeys[${at}].name`, name] as const),
  ];
  return names.flatMap(([field, name = ""]) =>
    warn(trimText(name) !== name.trim(), field, {
      reason: "NAME_CLEANED",
      description: "was stored without the soft hyphens and marks of text direction at its ends",
    }),
  );
}

/** What a password that a user chooses may not consist of. */
function namesOf({ userName, profile, email }: ImportedRequest): string[] {
  return [userName, ...NAME_FIELDS.map((name) => profile?.[name] ?? ""), email?.email ?? ""];
}
