import { decodeBase64, encodeBase64Url } from "../../fields/bytes.ts";
import type { SourceLink, SourcePasskey } from "../source.ts";
import { createSource, skip } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { toMetadata } from "./metadata.ts";
import { toPasswordHash } from "./password-hash.ts";
import { toLanguage } from "./profile.ts";

/**
 * Rows of Better Auth's tables: `user`, and of its users `account`, `passkey` and `twoFactor`. The rows of a user are in
 * its record (`accounts`, `passkeys`, `twoFactors`), or records of their own, in the same file or a second one. Columns
 * are named as in Better Auth or with underscores.
 */
export const betterAuth = createSource({
  name: "better-auth",
  arrays: [[], ["user"], ["account"], ["passkey"], ["twoFactor"]],
  prepare: inCamelCase,
  secondFile(fields, record) {
    const user = fields.text("userId");
    const table = TABLES.find(({ column }) => fields.text(column) !== undefined);
    if (user === undefined || table === undefined) return undefined;
    return { id: user, values: { [`${table.name}:${fields.text("id")}`]: record } };
  },
  read(fields, lost) {
    const id = fields.text("id");
    if (fields.flag("isAnonymous") === true) return skip(id, "anonymous user");
    const accounts = rowsOf(fields, "accounts");
    const passwords = accounts.flatMap((account) => (account.text("providerId") === "credential" ? [account] : []));
    if (fields.text("image") !== undefined) lost.push("picture");
    if (rowsOf(fields, "twoFactors").length > 0) lost.push("one-time codes: encrypted with the secret of Better Auth");
    if (fields.text("role") !== undefined && fields.text("role") !== "user") lost.push("roles");
    return {
      sourceId: id,
      userName: fields.text("displayUsername", "username"),
      firstName: fields.text("firstName"),
      lastName: fields.text("lastName"),
      displayName: fields.text("name"),
      language: toLanguage(fields.text("locale"), lost),
      email: fields.text("email"),
      emailVerified: fields.flag("emailVerified"),
      phone: fields.text("phoneNumber"),
      phoneVerified: fields.flag("phoneNumberVerified"),
      passwordHash: readPassword(passwords[0]?.text("password"), lost),
      links: accounts.flatMap(toLink),
      passkeys: rowsOf(fields, "passkeys").flatMap(toPasskey),
      metadata: toMetadata(fields.entries().filter(isAdditional), lost),
      inactive: fields.flag("banned"),
    };
  },
});

/** The tables beside `user`, and a column that only they have. */
const TABLES = [
  { name: "passkeys", column: "credentialID" },
  { name: "twoFactors", column: "backupCodes" },
  { name: "accounts", column: "providerId" },
] as const;

/** `email_verified` becomes `emailVerified`, and `credential_id` `credentialID`. */
function inCamelCase(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const camel = name.includes(":") ? name : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [camel === "credentialId" ? "credentialID" : camel, value];
    }),
  );
}

/** The rows in the user's record, and those that were merged into it. */
function rowsOf(fields: Fields, table: string): readonly Fields[] {
  const rows = [...fields.objects(table), ...fields.merged(`${table}:`)];
  return rows.map((row) => fields.nested(table, inCamelCase(Object.fromEntries(row.entries()))));
}

/** Better Auth stores `<salt>:<hash>` in hex. The salt is that text, and passwords are normalized to NFKC. */
function readPassword(password: string | undefined, lost: string[]): string | undefined {
  const isOwn = /^[0-9a-f]{32}:[0-9a-f]{128}$/.test(password ?? "");
  return toPasswordHash(isOwn ? `$better-auth$${password}` : password, lost);
}

function toLink(account: Fields): SourceLink[] {
  const provider = account.text("providerId");
  const externalUserId = account.text("accountId");
  if (provider === "credential") return [];
  if (provider === undefined || externalUserId === undefined)
    return account.refuse("providerId", "must have a provider and a user id");
  return [{ provider, externalUserId }];
}

/** The id is base64url, the key base64. Better Auth makes a random user handle for each passkey, and does not store it. */
function toPasskey(passkey: Fields): SourcePasskey[] {
  const [id, publicKey] = [passkey.text("credentialID"), passkey.text("publicKey")].map((text) =>
    decodeBase64(text ?? ""),
  );
  if (!id?.length || !publicKey?.length) return passkey.refuse("credentialID", "must have an id and a key in base64");
  const deviceType = passkey.text("deviceType");
  return [
    {
      credentialId: encodeBase64Url(id),
      publicKey: encodeBase64Url(publicKey),
      counter: passkey.count("counter") ?? 0,
      name: passkey.text("name"),
      isBackupEligible: deviceType === undefined ? undefined : deviceType === "multiDevice",
    },
  ];
}

/** Columns that the owner has added (`additionalFields`) become metadata. */
function isAdditional([name]: readonly [string, unknown]): boolean {
  return !OWN_COLUMNS.includes(name) && !name.includes(":");
}

const OWN_COLUMNS = [
  ...["id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "firstName", "lastName", "locale"],
  // Of its plugins.
  ...["username", "displayUsername", "phoneNumber", "phoneNumberVerified", "twoFactorEnabled", "isAnonymous", "role"],
  ...["banned", "banReason", "banExpires", "lastLoginMethod", "accounts", "passkeys", "twoFactors", "context"],
];
