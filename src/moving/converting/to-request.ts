import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ImportHumanUserRequest,
  ImportHumanUserRequest_State,
  ImportHumanUserRequestSchema,
} from "../../../gen/signet/v1/management_pb.js";
import { Gender } from "../../../gen/signet/v1/user_pb.js";
import { NAME_FIELDS } from "../../database/profile.ts";
import type { Violation } from "../../errors.ts";
import { removeInvisible } from "../../fields/invisible.ts";
import { isStoredLanguage } from "../../fields/language.ts";
import { trimText } from "../../fields/trim-text.ts";
import type { ImportOptions } from "../options.ts";
import type { SourceUser } from "../source.ts";
import { parseOtp } from "../sources/one-time-code.ts";
import { findNames } from "./find-names.ts";
import type { ImportRules } from "./import-rules.ts";
import { toNewerFields } from "./to-newer-fields.ts";

/** The key of the metadata with the id in the source, unique in the organization. */
export const EXTERNAL_ID = "external_id";

interface ConvertedRequest {
  readonly request: ImportHumanUserRequest;
  /** What the request does not contain, by a name that people understand. */
  readonly lost: readonly string[];
  /** What is wrong that the rules of the request do not say. */
  readonly problems: readonly Violation[];
  /** The rule that has made a name. */
  readonly nameRule?: string;
}

/** Converts a user of an export to the request that imports the user. */
export function toRequest(
  exported: SourceUser,
  options: ImportOptions,
  rules: Pick<ImportRules, "readPhone">,
): ConvertedRequest {
  const problems: Violation[] = [];
  const lost = [...(exported.lost ?? [])];
  const user = cleanNames(exported, lost);
  const names = findNames(user, options.names);
  for (const field of ["firstName", "lastName"] as const) {
    if (names[field] === "") problems.push({ field: `profile.${field}`, description: MISSING_NAME });
  }
  const request = create(ImportHumanUserRequestSchema, {
    userName: user.userName?.trim() || user.email?.trim() || "",
    profile: {
      ...Object.fromEntries(NAME_FIELDS.map((name) => [name, user[name] ?? ""])),
      firstName: names.firstName,
      lastName: names.lastName,
      preferredLanguage: toLanguage(user, lost),
      gender: GENDERS[user.gender ?? "none"],
    },
    email: { email: user.email?.trim() ?? "", isEmailVerified: user.emailVerified ?? false },
    passwordChangeRequired: user.passwordChangeRequired ?? false,
    secondFactorRequired: user.secondFactorRequired ?? false,
    otpCode: toOtpCode(user, lost),
    idps: toLinks(user, options, lost),
    metadata: toMetadata(user, lost),
    state: user.inactive === true ? ImportHumanUserRequest_State.INACTIVE : ImportHumanUserRequest_State.UNSPECIFIED,
    ...toPhone(user, options, rules, { lost, problems }),
    ...(user.passwordHash === undefined ? {} : { hashedPassword: { value: user.passwordHash } }),
    ...toNewerFields(user, options, lost),
  });
  return { request, lost, problems, ...(names.rule === undefined ? {} : { nameRule: names.rule }) };
}

/**
 * Cleans what is only shown, so that a stray character loses no user. A user name or an address stays as it is, because it would
 * become that of somebody else: the service refuses it.
 */
function cleanNames(user: SourceUser, lost: string[]): SourceUser {
  const clean = (name: string) => {
    const line = toOneLine(name);
    const cleaned = removeInvisible(trimText(line)).trim();
    if (cleaned !== line) lost.push("invisible characters in names");
    return cleaned;
  };
  const names = NAME_FIELDS.flatMap((field) => {
    const name = user[field];
    return name === undefined ? [] : [[field, clean(name)] as const];
  });
  const withCleanName = <Item extends { readonly [Key in Name]?: string | undefined }, Name extends string>(
    item: Item,
    key: Name,
  ) => {
    const name = item[key];
    return name === undefined ? item : { ...item, [key]: clean(name) };
  };
  return {
    ...user,
    ...Object.fromEntries(names),
    ...(user.links && { links: user.links.map((link) => withCleanName(link, "displayName")) }),
    ...(user.passkeys && { passkeys: user.passkeys.map((passkey) => withCleanName(passkey, "name")) }),
  };
}

/** A quoted value of a CSV may have line breaks and tabs. */
function toOneLine(name: string): string {
  return name.trim().replace(/\s*[\t\v\f\r\n\u0085\u2028\u2029]+\s*/g, " ");
}

const MISSING_NAME = "is missing in the export; --names says what to do about that";

const GENDERS = { none: Gender.UNSPECIFIED, female: Gender.FEMALE, male: Gender.MALE, diverse: Gender.DIVERSE };

type Init = MessageInitShape<typeof ImportHumanUserRequestSchema>;

function toPhone(
  { phone, phoneVerified = false }: SourceUser,
  { defaultRegion }: ImportOptions,
  { readPhone }: Pick<ImportRules, "readPhone">,
  { lost, problems }: { readonly lost: string[]; readonly problems: Violation[] },
) {
  if (phone === undefined || phone.trim() === "") return {};
  const number = readPhone(phone, defaultRegion);
  if (number !== null && /;(?:ext|isub)=/i.test(phone)) lost.push("extension of the phone number");
  if (number !== null) return { phone: { phone: number, isPhoneVerified: phoneVerified } };
  const hint = defaultRegion === undefined ? "; --default-region reads national numbers" : "";
  problems.push({ field: "phone.phone", description: `is not a phone number that can be read${hint}` });
  return {};
}

/** Systems without this field have names of languages, such as `german`, in it. */
function toLanguage({ language = "" }: SourceUser, lost: string[]): string {
  const tag = language.trim();
  if (tag === "" || isStoredLanguage(tag)) return tag;
  lost.push("language (not a language tag such as de)");
  return "";
}

/** Signet would store another value, and not ask for codes. */
function toOtpCode({ otp = "" }: SourceUser, lost: string[]): string {
  if (otp === "" || parseOtp(otp, []) !== undefined) return otp;
  lost.push("one-time codes (not a secret in base32 or an otpauth URI)");
  return "";
}

/** Links of providers that are not mapped are lost. */
function toLinks({ links = [] }: SourceUser, { idps }: ImportOptions, lost: string[]): Init["idps"] & object {
  return links.flatMap(({ provider, externalUserId, displayName = "" }) => {
    const configId = Object.hasOwn(idps, provider) ? idps[provider] : undefined;
    if (configId === undefined) lost.push(`link to ${provider} (not mapped with --idp)`);
    return configId === undefined ? [] : [{ configId, externalUserId, displayName }];
  });
}

function toMetadata({ sourceId, metadata = {} }: SourceUser, lost: string[]): Init["metadata"] & object {
  const { [EXTERNAL_ID]: given, ...others } = metadata;
  if (given !== undefined && given !== sourceId) lost.push(`metadata ${EXTERNAL_ID} (it is the id in the export)`);
  const entries = Object.entries({ [EXTERNAL_ID]: sourceId, ...others }).filter(([, value]) => value !== "");
  return entries.map(([key, value]) => ({ key, value: new TextEncoder().encode(value) }));
}
