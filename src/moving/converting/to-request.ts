import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ImportHumanUserRequest,
  ImportHumanUserRequest_State,
  ImportHumanUserRequestSchema,
} from "../../../gen/signet/v1/management_pb.js";
import { Gender } from "../../../gen/signet/v1/user_pb.js";
import type { Violation } from "../../errors.ts";
import { isStoredLanguage } from "../../fields/language.ts";
import type { ImportOptions } from "../options.ts";
import type { SourceUser } from "../source.ts";
import { parseOtp } from "../sources/one-time-code.ts";
import { findNames } from "./find-names.ts";
import type { ImportRules } from "./import-rules.ts";
import { toNewerFields } from "./to-newer-fields.ts";

/** The key of the metadata with the id in the source, unique in the organization. */
export const EXTERNAL_ID = "external_id";

export interface ConvertedRequest {
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
  user: SourceUser,
  options: ImportOptions,
  rules: Pick<ImportRules, "readPhone">,
): ConvertedRequest {
  const problems: Violation[] = [];
  const lost = [...(user.lost ?? [])];
  const names = findNames(user, options.names);
  for (const field of ["firstName", "lastName"] as const) {
    if (names[field] === "") problems.push({ field: `profile.${field}`, description: MISSING_NAME });
  }
  const request = create(ImportHumanUserRequestSchema, {
    userName: user.userName?.trim() || user.email?.trim() || "",
    profile: {
      firstName: inOneLine(names.firstName),
      lastName: inOneLine(names.lastName),
      nickName: inOneLine(user.nickName),
      displayName: inOneLine(user.displayName),
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

/** A quoted value of a CSV may have line breaks. */
function inOneLine(name = ""): string {
  return name.trim().replace(/\s*[\r\n]+\s*/g, " ");
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
    const configId = idps[provider];
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
