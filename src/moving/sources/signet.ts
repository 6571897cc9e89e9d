import { NAME_FIELDS } from "../../database/profile.ts";
import type { Source, SourceLink, SourcePasskey, SourceUser } from "../source.ts";

/**
 * A line of `signet users export`: the fields of a `SourceUser`, so that nothing is converted, with the id and the organization of
 * the user beside it. Links name the id of the provider's configuration.
 */
export const signet: Source = {
  name: "signet",
  arrays: [["users"]],
  convert(record) {
    const problems: { field: string; description: string }[] = [];
    const given = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
    for (const [name, value] of given) {
      const type = TYPES[name];
      if (type === undefined) problems.push({ field: name, description: "is not a field of an export of Signet" });
      else if (!type(value)) problems.push({ field: name, description: "has the wrong type" });
    }
    const { id, metadata } = record;
    const sourceId = isText(record.sourceId) ? record.sourceId : isTexts(metadata) ? (metadata.external_id ?? id) : id;
    if (typeof sourceId !== "string" || sourceId === "") {
      return { kind: "refused", problems: [...problems, { field: "id", description: "must have the id of the user" }] };
    }
    if (problems.length > 0) return { kind: "refused", sourceId, problems };
    const { id: _, ...user } = Object.fromEntries(given);
    return { kind: "user", user: { ...user, sourceId } as SourceUser };
  },
};

type Check = (value: unknown) => boolean;

const isText = (value: unknown): value is string => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isText);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(item: Check): Check {
  return (value) => Array.isArray(value) && value.every(item);
}

const isLink: Check = (value) => {
  const { provider, externalUserId, displayName } = (isObject(value) ? value : {}) as Partial<SourceLink>;
  return isText(provider) && isText(externalUserId) && (displayName === undefined || isText(displayName));
};

const isPasskey: Check = (value) => {
  const passkey = (isObject(value) ? value : {}) as Partial<SourcePasskey>;
  const { credentialId, publicKey, counter, isBackupEligible } = passkey;
  return (
    [credentialId, publicKey].every(isText) &&
    Number.isSafeInteger(counter) &&
    [passkey.name, passkey.rpId, passkey.userHandle].every((text) => text === undefined || isText(text)) &&
    (isBackupEligible === undefined || isFlag(isBackupEligible))
  );
};

const TYPES: Readonly<Record<string, Check>> = {
  id: isText,
  sourceId: isText,
  sourceOrg: isText,
  userName: isText,
  ...Object.fromEntries(NAME_FIELDS.map((name) => [name, isText])),
  language: isText,
  gender: (value) => value === "female" || value === "male" || value === "diverse",
  email: isText,
  emailVerified: isFlag,
  phone: isText,
  phoneVerified: isFlag,
  passwordHash: isText,
  passwordChangeRequired: isFlag,
  secondFactorRequired: isFlag,
  otp: isText,
  recoveryCodes: isListOf(isText),
  passkeys: isListOf(isPasskey),
  links: isListOf(isLink),
  metadata: isTexts,
  inactive: isFlag,
  subject: isText,
  lost: isListOf(isText),
};
