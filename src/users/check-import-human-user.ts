import {
  type ImportHumanUserRequest_Email as Email,
  type ImportHumanUserRequest_IDP as Idp,
  type ImportHumanUserRequest,
  ImportHumanUserRequestSchema,
  type ImportHumanUserRequest_Profile as Profile,
} from "../../gen/signet/v1/management_pb.js";
import type { Violation } from "../errors.ts";
import { checkMessage } from "../fields/check-message.ts";
import { describeEmailProblem } from "../fields/email.ts";
import { describeStoredLanguageProblem } from "../fields/language.ts";
import { describeNameProblem } from "../fields/name.ts";
import { parsePhone } from "../fields/phone.ts";
import { describeUserNameProblem } from "../fields/user-name.ts";
import { describeHashProblem } from "../passwords/modular-crypt-format.ts";
import { describePasswordProblem } from "../passwords/policy.ts";

/** The parts of a checked request, names trimmed. */
export interface CheckedHumanUser {
  readonly userName: string;
  readonly profile: CheckedProfile;
  readonly email: Email;
  readonly phone: { readonly e164: string; readonly verified: boolean } | undefined;
}

export type CheckedProfile = Pick<Profile, NameField | "preferredLanguage" | "gender">;

type NameField = (typeof NAME_FIELDS)[number];
const NAME_FIELDS = ["firstName", "lastName", "nickName", "displayName"] as const;

/**
 * Checks every field of a human user: the rules of the schema, and those that only code can check.
 *
 * @throws SignetError INVALID_ARGUMENT with every violated field.
 */
export function checkImportHumanUser(request: ImportHumanUserRequest): CheckedHumanUser {
  const userName = request.userName.trim();
  const { profile, email } = request;
  const phone = request.phone?.phone === undefined ? undefined : parsePhone(request.phone.phone);

  checkMessage(ImportHumanUserRequestSchema, request, () => [
    ...violation("userName", describeUserNameProblem(userName)),
    ...NAME_FIELDS.flatMap((field) => nameViolation(`profile.${field}`, profile?.[field])),
    ...violation(
      "profile.preferredLanguage",
      profile?.preferredLanguage && describeStoredLanguageProblem(profile.preferredLanguage),
    ),
    ...violation("email.email", email && describeEmailProblem(email.email)),
    ...violation("phone.phone", phone?.ok === false ? phone.description : undefined),
    ...passwordViolations(request),
    ...linkViolations(request.idps),
  ]);
  // The schema requires both; the compiler does not know that.
  if (profile === undefined || email === undefined) throw new Error("the schema let a missing profile or email pass");
  return {
    userName,
    profile: {
      firstName: profile.firstName.trim(),
      lastName: profile.lastName.trim(),
      nickName: profile.nickName.trim(),
      displayName: profile.displayName.trim(),
      preferredLanguage: profile.preferredLanguage,
      gender: profile.gender,
    },
    email,
    phone: phone?.ok ? { e164: phone.e164, verified: request.phone?.isPhoneVerified ?? false } : undefined,
  };
}

function passwordViolations({ password, hashedPassword }: ImportHumanUserRequest): Violation[] {
  return [
    ...violation("password", password === undefined ? undefined : describePasswordProblem(password)),
    ...violation("hashedPassword.value", hashedPassword && describeImportedHashProblem(hashedPassword.value)),
    ...violation(
      "hashedPassword",
      password !== undefined && hashedPassword !== undefined ? "must not be given together with password" : undefined,
    ),
  ];
}

function describeImportedHashProblem(value: string | undefined): string | undefined {
  return value ? describeHashProblem(value) : "must be given: the hash in Modular Crypt Format";
}

/** A name that is empty counts as not given; the schema says which ones are required. */
function nameViolation(field: string, name: string | undefined): Violation[] {
  return violation(field, name && describeNameProblem(name.trim()));
}

/** Checks the names to show for links, and that no external user is linked twice by one request. */
function linkViolations(idps: readonly Idp[]): Violation[] {
  const first = new Map<string, number>();
  return idps.flatMap(({ configId, externalUserId, displayName }, index) => {
    const key = JSON.stringify([configId.toLowerCase(), externalUserId]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    return [
      ...nameViolation(`idps[${index}].displayName`, displayName),
      ...violation(`idps[${index}]`, earlier === undefined ? undefined : `must not repeat idps[${earlier}]`),
    ];
  });
}

function violation(field: string, description: string | undefined): Violation[] {
  return description ? [{ field, description }] : [];
}
