import type { SourceLink } from "../source.ts";
import { readCustomHash } from "./auth0-custom-hash.ts";
import { createSource } from "./create-source.ts";
import { type Fields, readFields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { parseOtp } from "./one-time-code.ts";
import { toPasswordHash } from "./password-hash.ts";
import { toLanguage } from "./profile.ts";

/**
 * The user export of Auth0, as NDJSON or CSV, and files in the format of its own imports, which are JSON arrays. The file
 * of password hashes, which its support provides, is the second file.
 */
export const auth0 = createSource({
  name: "auth0",
  arrays: [[], ["users"]],
  prepare: withoutApostrophes,
  secondFile(fields) {
    const id = readHashId(fields);
    if (fields.text("user_id", "Id") !== undefined || id === undefined) return undefined;
    return { id, values: Object.fromEntries(fields.entries().filter(([name]) => SECOND_FILE_FIELDS.includes(name))) };
  },
  read(fields, lost) {
    const email = fields.text("email", "Email");
    const name = fields.text("name", "Name");
    const identities = readIdentities(fields);
    const phone = fields.text("phone_number");
    if (fields.text("picture") !== undefined) lost.push("picture");
    return {
      sourceId: fields.text("user_id", "Id"),
      userName: fields.text("username"),
      firstName: fields.text("given_name", "Given Name"),
      lastName: fields.text("family_name", "Family Name"),
      // Auth0 sets the name to the address if it knows no other, and the nickname to its local part.
      displayName: name === email ? undefined : name,
      nickName:
        email?.split("@")[0] === fields.text("nickname", "Nickname") ? undefined : fields.text("nickname", "Nickname"),
      language: toLanguage(fields.text("locale"), lost),
      email,
      emailVerified: fields.flag("email_verified", "Email Verified"),
      phone,
      phoneVerified: fields.flag("phone_verified"),
      passwordHash: readPassword(fields, lost),
      links: identities.flatMap((identity) => toLink(identity)),
      metadata: toMetadata(
        [
          ...prefixed("user_metadata.", fields.object("user_metadata")),
          ...prefixed("app_metadata.", fields.object("app_metadata")),
          // The columns of a CSV that was exported with single values.
          ...fields.entries().filter(([key]) => /^(?:user|app)_metadata\./.test(key)),
        ],
        lost,
      ),
      inactive: fields.flag("blocked"),
      otp: readFactors(fields, lost),
    };
  },
});

const SECOND_FILE_FIELDS = ["passwordHash", "password_hash", "custom_password_hash", "mfa_factors"];

/** Auth0 puts an apostrophe before values of a CSV that a spreadsheet would take for formulas: `'+15551234567`. */
function withoutApostrophes(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "string" && /^'[=+\-@\t\r]/.test(value) ? value.slice(1) : value,
    ]),
  );
}

/** Of a user with a password. Unlike `user_id`, the id beside a password hash does not name the provider. */
function readHashId(fields: Fields): string | undefined {
  const id = fields.text("alt_id") ?? readObjectId(fields);
  return id === undefined || id.includes("|") ? id : `auth0|${id}`;
}

function readObjectId(fields: Fields): string | undefined {
  for (const [name, value] of fields.entries()) {
    if (!/^_id$/i.test(name)) continue;
    return typeof value === "object" ? fields.object(name)?.text("$oid") : fields.text(name);
  }
  return undefined;
}

/** A CSV has the values of the first identity in columns of their own. */
function readIdentities(fields: Fields): readonly Fields[] {
  const identities = fields.objects("identities");
  if (identities.length > 0) return identities;
  const columns = fields.entries().flatMap(([name, value]) => {
    const [, index, key] = /^identities\[(\d+)\]\.(\w+)$/.exec(name) ?? [];
    return index === undefined || key === undefined ? [] : [{ index, key, value }];
  });
  return Object.values(Object.groupBy(columns, ({ index }) => index)).map((identity = []) =>
    readFields(Object.fromEntries(identity.map(({ key, value }) => [key, value]))),
  );
}

/** Passwords, and codes in emails and SMS, are Auth0's own. */
const OWN_PROVIDERS = ["auth0", "email", "sms"];

function toLink(identity: Fields): SourceLink[] {
  const provider = identity.text("provider");
  const connection = identity.text("connection") ?? provider;
  const id = identity.text("user_id");
  if (provider !== undefined && OWN_PROVIDERS.includes(provider)) return [];
  if (connection === undefined || id === undefined) return [];
  // The ids of enterprise connections contain the connection.
  const externalUserId = id.startsWith(`${connection}|`) ? id.slice(connection.length + 1) : id;
  const profile = identity.object("profileData");
  return [{ provider: connection, externalUserId, displayName: profile?.text("email", "name") }];
}

function readPassword(fields: Fields, lost: string[]): string | undefined {
  const hash = fields.text("passwordHash", "password_hash");
  if (hash !== undefined) return toPasswordHash(hash, lost);
  const custom = fields.object("custom_password_hash");
  return custom === undefined ? undefined : readCustomHash(custom, lost);
}

/** The factors of a file in Auth0's import format. */
function readFactors(fields: Fields, lost: string[]): string | undefined {
  let otp: string | undefined;
  for (const factor of fields.objects("mfa_factors")) {
    const secret = factor.object("totp")?.text("secret");
    if (secret !== undefined) otp ??= parseOtp(secret, lost);
    else if (factor.object("phone") !== undefined) lost.push("second factor by SMS");
    else if (factor.object("email") !== undefined) lost.push("second factor by email");
  }
  return otp;
}
