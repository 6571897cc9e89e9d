import { addProblem, type Problems } from "../../errors.ts";
import type { HumanPayload, IdpLinkPayload } from "../../events/catalogue.ts";
import { parsePhone } from "../../fields/phone.ts";
import { trimText } from "../../fields/trim-text.ts";
import { describeAlgorithmProblem, describeHashProblem } from "../../passwords/modular-crypt-format.ts";
import { describePasswordProblem } from "../../passwords/policy.ts";
import type { MetadataItem } from "../metadata/check-metadata.ts";
import { type StoredItem, toStoredItems } from "../metadata/stored-items.ts";
import { macRecoveryCode } from "../recovery-code-mac.ts";
import { checkPersonalFields, type PersonalFields } from "./check-personal-fields.ts";
import type { PasskeyToInsert } from "./store-credentials.ts";

/** The fields of ImportHumanUserRequest. */
export interface HumanRequest extends PersonalFields {
  readonly email?: { readonly email: string; readonly isEmailVerified: boolean } | undefined;
  readonly phone?: { readonly phone?: string | undefined; readonly isPhoneVerified: boolean } | undefined;
  readonly password?: string | undefined;
  readonly hashedPassword?: { readonly value?: string | undefined; readonly algorithm: string } | undefined;
  readonly passwordChangeRequired: boolean;
  readonly requestPasswordlessRegistration: boolean;
  readonly otpCode: string;
  readonly metadata?: readonly MetadataItem[];
  /** The number of the `State`: 0 for the default, 1 for active, 2 for inactive. */
  readonly state?: number;
  readonly recoveryCodes?: readonly string[];
  /** The number of the `Message`: 0 for the default, 1 for none, 2 to return the link. */
  readonly message?: number;
  readonly secondFactorRequired?: boolean;
}

const INACTIVE = 2;

/** By the number of the `Message`. The schema rejects others. */
const MESSAGES = ["send", "none", "return-link"] as const;

/** A checked ImportHumanUserRequest: the payload of the event, and the data that events must not contain. */
export interface HumanToImport {
  /** The payload of `user.human.added`, except the subject and whether there is a password. */
  readonly human: Omit<HumanPayload, "hasPassword" | "subject">;
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
  readonly metadata: readonly StoredItem[];
  readonly isInactive: boolean;
  /** The `sub` that applications see instead of the id; null if they see the id. */
  readonly subject: string | null;
  /** Hashes in hexadecimal. */
  readonly recoveryCodes: readonly string[];
  readonly passkeys: readonly PasskeyToInsert[];
  /** What happens to the messages that the user needs. */
  readonly messages: (typeof MESSAGES)[number];
}

/** Checks the rules of ImportHumanUserRequest that the schema cannot express, and normalizes the fields. */
export function checkImportHumanUser(request: HumanRequest, problems: Problems): HumanToImport {
  const { email, phone, idps, metadata = [], subject = "" } = request;
  const isInactive = request.state === INACTIVE;
  const messages = MESSAGES[request.message ?? 0] ?? "send";
  const personal = checkPersonalFields(request, { parsePhone }, problems);
  const passwords = checkPasswords(request, problems);
  addProblem(problems, "message", isInactive && messages === "return-link" && INACTIVE_LINK);
  addProblem(
    problems,
    "requestPasswordlessRegistration",
    isInactive && request.requestPasswordlessRegistration && INACTIVE_PASSKEY,
  );

  return {
    human: {
      userName: personal.userName,
      ...personal.profile,
      email: personal.address,
      phone: personal.phone,
      passwordChangeRequired: request.passwordChangeRequired,
      ...(request.secondFactorRequired === true && { secondFactorRequired: true as const }),
    },
    emailVerified: email?.isEmailVerified ?? false,
    phoneVerified: phone?.isPhoneVerified ?? false,
    ...passwords,
    otpCode: request.otpCode,
    links: idps.map(({ configId, externalUserId, displayName }) => ({
      idpId: configId.toLowerCase(),
      externalUserId,
      displayName: trimText(displayName),
    })),
    requestsPasskey: request.requestPasswordlessRegistration,
    metadata: toStoredItems(metadata),
    isInactive,
    subject: subject || null,
    recoveryCodes: checkRecoveryCodes(request, problems),
    // Another room checks those of a request.
    passkeys: [],
    messages,
  };
}

const INACTIVE_LINK =
  "must not be MESSAGE_RETURN_LINK for an inactive user, who cannot use the link; reactivate the user first";

const INACTIVE_PASSKEY = "must not be true for an inactive user, who cannot use the link; reactivate the user first";

function checkPasswords(request: HumanRequest, problems: Problems): Pick<HumanToImport, "password" | "passwordHash"> {
  const password = request.password || undefined;
  const hashedPassword = isEmptyHash(request.hashedPassword) ? undefined : request.hashedPassword;
  // Files and copied texts end in line breaks, and no hash has white space at its ends.
  const value = hashedPassword?.value?.trim() ?? "";
  addProblem(problems, "password", password && describePasswordProblem(password));
  if (hashedPassword !== undefined) {
    const { algorithm } = hashedPassword;
    addProblem(problems, "hashedPassword.value", describeImportedHashProblem(value));
    addProblem(problems, "hashedPassword.algorithm", algorithm.trim() && describeAlgorithmProblem(algorithm, value));
    addProblem(problems, "hashedPassword", password && BOTH_PASSWORDS);
  }
  return { password, passwordHash: value || undefined };
}

/** Some clients send all fields of a form, also those that were left empty. */
function isEmptyHash(hashedPassword: HumanRequest["hashedPassword"]): boolean {
  return !hashedPassword?.value && !hashedPassword?.algorithm;
}

const BOTH_PASSWORDS =
  "must not be given together with password; leave out password to keep the existing one, or hashedPassword to replace it";

function describeImportedHashProblem(value: string): string | undefined {
  return value ? describeHashProblem(value) : "is required: the hash in Modular Crypt Format";
}

function checkRecoveryCodes({ recoveryCodes = [], otpCode }: HumanRequest, problems: Problems): string[] {
  if (recoveryCodes.length > 0 && otpCode === "") problems.add("recoveryCodes", NO_OTP_CODE);
  const first = new Map<string, number>();
  for (const [index, code] of recoveryCodes.entries()) {
    const hash = macRecoveryCode(otpCode, code)?.toString("hex");
    const earlier = first.get(hash ?? "");
    if (hash === undefined) problems.add(`recoveryCodes[${index}]`, "must have 8 to 64 letters and digits");
    else if (earlier === undefined) first.set(hash, index);
    else problems.add(`recoveryCodes[${index}]`, `must not repeat recoveryCodes[${earlier}]`);
  }
  return [...first.keys()];
}

const NO_OTP_CODE = "requires otpCode, because a recovery code replaces a one-time code";
