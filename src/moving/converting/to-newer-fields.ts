import { ImportHumanUserRequest_Message } from "../../../gen/signet/v1/management_pb.js";
import { decodeBase64 } from "../../fields/bytes.ts";
import { describeSubjectProblem } from "../../fields/subject.ts";
import type { ImportOptions } from "../options.ts";
import type { SourceUser } from "../source.ts";

/** The fields of a request that the published API does not have: how the user was known, and how the user signed in. */
export function toNewerFields(user: SourceUser, options: ImportOptions, lost: string[]) {
  return {
    subject: toSubject(user, options, lost),
    recoveryCodes: toRecoveryCodes(user, lost),
    passkeys: toPasskeys(user, options, lost),
    message: MESSAGES[options.messages],
  };
}

const MESSAGES = {
  send: ImportHumanUserRequest_Message.UNSPECIFIED,
  none: ImportHumanUserRequest_Message.NONE,
  "return-link": ImportHumanUserRequest_Message.RETURN_LINK,
};

/** Without another one, applications have seen the id. */
function toSubject({ subject, sourceId }: SourceUser, { subjects }: ImportOptions, lost: string[]): string {
  if (subjects === "new") return "";
  const known = subject ?? (subjects === "ids" ? sourceId : "");
  if (describeSubjectProblem(known) === undefined) return known;
  lost.push("id that applications have seen (not 1 to 255 printable ASCII characters without a space at the ends)");
  return "";
}

/** They replace one-time codes. */
function toRecoveryCodes({ recoveryCodes = [], otp }: SourceUser, lost: string[]): string[] {
  if (recoveryCodes.length === 0 || otp !== undefined) return [...recoveryCodes];
  lost.push("recovery codes (without one-time codes)");
  return [];
}

function toPasskeys({ passkeys = [] }: SourceUser, { rpId }: ImportOptions, lost: string[]) {
  return passkeys.flatMap(({ counter, name = "", isBackupEligible, ...passkey }) => {
    const id = passkey.rpId ?? rpId;
    if (id === undefined) lost.push("passkeys (--rp-id says for which domain they are)");
    const bytes = {
      credentialId: toBytes(passkey.credentialId),
      publicKey: toBytes(passkey.publicKey),
      userHandle: toBytes(passkey.userHandle ?? ""),
    };
    const eligible = isBackupEligible === undefined ? {} : { isBackupEligible };
    return id === undefined ? [] : [{ ...bytes, counter, name, rpId: id, ...eligible }];
  });
}

/** The service refuses an id or a key without bytes. */
function toBytes(base64url: string): Uint8Array {
  return decodeBase64(base64url) ?? new Uint8Array();
}
