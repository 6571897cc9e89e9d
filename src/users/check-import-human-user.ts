import type { ImportHumanUserRequest_IDP as Idp, ImportHumanUserRequest } from "../../gen/signet/v1/management_pb.js";
import type { Problems } from "../errors.ts";
import type { HumanPayload, IdpLinkPayload } from "../events/catalogue.ts";
import { describeEmailProblem } from "../fields/email.ts";
import { parsePhone } from "../fields/phone.ts";
import { describeUserNameProblem } from "../fields/user-name.ts";
import { describeHashProblem } from "../passwords/modular-crypt-format.ts";
import { describePasswordProblem } from "../passwords/policy.ts";
import { checkName, checkProfile } from "./check-profile.ts";

/** A checked ImportHumanUserRequest: the payload of the event, and the data that events must not contain. */
export interface HumanToImport {
  /** The payload of `user.human.added`, except whether there is a password. */
  readonly human: Omit<HumanPayload, "hasPassword">;
  readonly emailVerified: boolean;
  readonly phoneVerified: boolean;
  /** In plaintext. */
  readonly password: string | undefined;
  /** Modular Crypt Format. Never together with `password`. */
  readonly passwordHash: string | undefined;
  /** Empty if there are none. */
  readonly otpCode: string;
  /** In the order of the request. An id may be unknown or malformed. */
  readonly links: readonly IdpLinkPayload[];
  readonly requestsPasskey: boolean;
}

/** Checks the rules of ImportHumanUserRequest that the schema cannot express, and normalizes the fields. */
export function checkImportHumanUser(request: ImportHumanUserRequest, problems: Problems): HumanToImport {
  const { profile, email, phone, password, hashedPassword, idps } = request;
  const userName = request.userName.trim();
  check("userName", describeUserNameProblem(userName));
  const checkedProfile = checkProfile(profile, "profile.", problems);
  check("email.email", email && describeEmailProblem(email.email));
  const parsedPhone = phone?.phone === undefined ? undefined : parsePhone(phone.phone);
  check("phone.phone", parsedPhone?.ok === false ? parsedPhone.description : undefined);
  check("password", password === undefined ? undefined : describePasswordProblem(password));
  check("hashedPassword.value", hashedPassword && describeImportedHashProblem(hashedPassword.value));
  if (password !== undefined && hashedPassword !== undefined) {
    check("hashedPassword", "must not be given together with password");
  }
  checkLinks(idps, problems);
  for (const [index, { displayName }] of idps.entries()) {
    checkName(`idps[${index}].displayName`, displayName, problems);
  }

  return {
    human: {
      userName,
      ...checkedProfile,
      email: email?.email ?? "",
      phone: parsedPhone?.ok ? parsedPhone.e164 : null,
      passwordChangeRequired: request.passwordChangeRequired,
    },
    emailVerified: email?.isEmailVerified ?? false,
    phoneVerified: parsedPhone !== undefined && (phone?.isPhoneVerified ?? false),
    password,
    passwordHash: hashedPassword?.value,
    otpCode: request.otpCode,
    links: idps.map(({ configId, externalUserId, displayName }) => ({
      idpId: configId.toLowerCase(),
      externalUserId,
      displayName: displayName.trim(),
    })),
    requestsPasskey: request.requestPasswordlessRegistration,
  };

  function check(field: string, description: string | undefined) {
    if (description) problems.add(field, description);
  }
}

function describeImportedHashProblem(value: string | undefined): string | undefined {
  return value ? describeHashProblem(value) : "is required: the hash in Modular Crypt Format";
}

/** An external user cannot be linked twice, not even within one request. */
function checkLinks(idps: readonly Idp[], problems: Problems): void {
  const first = new Map<string, number>();
  for (const [index, { configId, externalUserId }] of idps.entries()) {
    const key = JSON.stringify([configId.toLowerCase(), externalUserId]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else problems.add(`idps[${index}]`, `must not repeat idps[${earlier}]`);
  }
}
