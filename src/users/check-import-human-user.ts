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
import { describeLanguageProblem } from "../fields/language.ts";
import { parsePhone } from "../fields/phone.ts";
import { describeUserNameProblem } from "../fields/user-name.ts";
import { describeHashProblem } from "../passwords/modular-crypt-format.ts";
import { describePasswordProblem } from "../passwords/policy.ts";

/** What is certain of a request that was checked. */
export interface CheckedHumanUser {
  readonly userName: string;
  readonly profile: Profile;
  readonly email: Email;
  readonly phone: { readonly e164: string; readonly verified: boolean } | undefined;
}

/**
 * Checks every field of a human user: the rules of the schema, and those that only code can say.
 *
 * @throws SignetError INVALID_ARGUMENT with every violated field.
 */
export function checkImportHumanUser(request: ImportHumanUserRequest): CheckedHumanUser {
  const userName = request.userName.trim();
  const { profile, email } = request;
  const phone = request.phone?.phone === undefined ? undefined : parsePhone(request.phone.phone);

  checkMessage(ImportHumanUserRequestSchema, request, () => [
    ...violation("userName", describeUserNameProblem(userName)),
    ...violation(
      "profile.preferredLanguage",
      profile?.preferredLanguage && describeLanguageProblem(profile.preferredLanguage),
    ),
    ...violation("email.email", email && describeEmailProblem(email.email)),
    ...violation("phone.phone", phone?.ok === false ? phone.description : undefined),
    ...passwordViolations(request),
    ...linkViolations(request.idps),
  ]);
  // The schema requires both; this tells the compiler.
  if (profile === undefined || email === undefined) throw new Error("the schema let a missing profile or email pass");
  return {
    userName,
    profile,
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

/** The same external user cannot be linked twice, not even within one request. */
function linkViolations(idps: readonly Idp[]): Violation[] {
  const first = new Map<string, number>();
  return idps.flatMap(({ configId, externalUserId }, index) => {
    const key = JSON.stringify([configId.toLowerCase(), externalUserId]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    return violation(`idps[${index}]`, earlier === undefined ? undefined : `must not repeat idps[${earlier}]`);
  });
}

function violation(field: string, description: string | undefined): Violation[] {
  return description ? [{ field, description }] : [];
}
