import type { ProfileFields } from "../../database/profile.ts";
import { addProblem, type Problems } from "../../errors.ts";
import { describeEmailProblem } from "../../fields/email.ts";
import type { PhoneReader } from "../../fields/phone-reader.ts";
import { describeSubjectProblem } from "../../fields/subject.ts";
import { trimText } from "../../fields/trim-text.ts";
import { describeUserNameProblem } from "../../fields/user-name.ts";
import { checkName, checkProfile } from "../check-profile.ts";
import { checkKeys } from "../metadata/check-metadata.ts";

/** The fields of ImportHumanUserRequest that say who the user is. */
export interface PersonalFields {
  readonly userName: string;
  readonly profile?: ProfileFields | undefined;
  readonly email?: { readonly email: string } | undefined;
  readonly phone?: { readonly phone?: string | undefined; readonly isPhoneVerified?: boolean } | undefined;
  readonly subject?: string;
  readonly idps: readonly {
    readonly configId: string;
    readonly externalUserId: string;
    readonly displayName: string;
  }[];
  readonly metadata?: readonly { readonly key: string }[];
}

/**
 * Checks the rules of who the user is that the schema cannot express, and normalizes the fields. Uses nothing of Node, so that the
 * console checks them before an import.
 */
export function checkPersonalFields(
  request: PersonalFields,
  { parsePhone }: Pick<PhoneReader, "parsePhone">,
  problems: Problems,
) {
  const { profile, email, phone, idps, metadata = [], subject = "" } = request;
  const userName = trimText(request.userName);
  const address = trimText(email?.email ?? "");
  addProblem(problems, "userName", describeUserNameProblem(userName));
  const checkedProfile = checkProfile(profile, "profile.", problems);
  addProblem(problems, "email.email", email && describeEmailProblem(address));
  const parsedPhone = phone?.phone === undefined ? undefined : parsePhone(phone.phone);
  addProblem(problems, "phone.phone", parsedPhone?.ok === false ? parsedPhone.description : undefined);
  addProblem(problems, "phone.phone", phone?.isPhoneVerified && parsedPhone === undefined ? NO_PHONE : undefined);
  checkLinks(idps, problems);
  for (const [index, { displayName }] of idps.entries()) {
    checkName(`idps[${index}].displayName`, trimText(displayName), problems);
  }
  const keys = metadata.map(({ key }) => key);
  checkKeys(keys, (position) => `metadata[${position}].key`, problems);
  addProblem(problems, "subject", describeSubjectProblem(subject));
  return { userName, profile: checkedProfile, address, phone: parsedPhone?.ok ? parsedPhone.e164 : null };
}

const NO_PHONE = "is required, because isPhoneVerified is true";

/** An external user cannot be linked twice, not even within one request. */
function checkLinks(idps: PersonalFields["idps"], problems: Problems): void {
  const first = new Map<string, number>();
  for (const [index, { configId, externalUserId }] of idps.entries()) {
    const key = JSON.stringify([configId.toLowerCase(), externalUserId]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else problems.add(`idps[${index}]`, `must not repeat idps[${earlier}]`);
  }
}
