import { decodeHex, encodeBase64Url, encodeText } from "../../fields/bytes.ts";
import type { SourceLink, SourcePasskey } from "../source.ts";
import { isBanned } from "./activity.ts";
import { createSource, skip, toLinks } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { toOtp } from "./one-time-code.ts";
import { noPassword, toPasswordHash } from "./password-hash.ts";
import { toLanguage, withPlus } from "./profile.ts";

/**
 * Rows of Supabase's table `auth.users`, as JSON or CSV, and those of `auth.identities`, `auth.mfa_factors` and
 * `auth.webauthn_credentials` of their users. These rows are in the record of the user, in lists that are named like the
 * tables, or records of other files.
 */
export const supabase = createSource({
  name: "supabase",
  arrays: [[], ["users"]],
  secondFile(fields, record) {
    const user = fields.text("user_id");
    const table = TABLES.find(({ column }) => fields.text(column) !== undefined)?.name;
    if (user === undefined || table === undefined) return undefined;
    return { id: user, values: { [`${table}:${fields.text("id") ?? fields.text("provider")}`]: record } };
  },
  read(fields, lost) {
    const id = fields.text("id");
    if (fields.text("deleted_at") !== undefined) return skip(id, "deleted user");
    if (fields.flag("is_anonymous") === true) return skip(id, "anonymous user");
    const profile = fields.object("raw_user_meta_data", "user_metadata");
    if (profile?.text("avatar_url", "picture") !== undefined) lost.push("picture");
    if (fields.text("email_change") !== undefined) lost.push("new email address that is not confirmed yet");
    if (fields.text("phone_change") !== undefined) lost.push("new phone number that is not confirmed yet");
    return {
      sourceId: id,
      userName: profile?.text("user_name", "preferred_username"),
      firstName: profile?.text("first_name", "given_name"),
      lastName: profile?.text("last_name", "family_name"),
      displayName: profile?.text("full_name", "name", "display_name"),
      language: toLanguage(profile?.text("locale"), lost),
      email: fields.text("email"),
      // `confirmed_at` also counts a confirmed phone number.
      emailVerified: fields.text("email_confirmed_at") !== undefined,
      phone: withPlus(fields.text("phone")),
      phoneVerified: fields.text("phone_confirmed_at") !== undefined,
      passwordHash: readPassword(fields.text("encrypted_password"), lost),
      otp: readFactors(rowsOf(fields, "mfa_factors"), lost),
      links: rowsOf(fields, "identities").flatMap(toLink),
      passkeys: rowsOf(fields, "webauthn_credentials").flatMap((row) => toPasskey(row, id)),
      metadata: toMetadata(
        [
          ...prefixed("user_metadata.", profile, PROFILE_KEYS),
          ...prefixed("app_metadata.", fields.object("raw_app_meta_data", "app_metadata"), ["provider", "providers"]),
        ],
        lost,
      ),
      inactive: isBanned(fields.text("banned_until")),
    };
  },
});

/** The tables beside `users`, and a column that only they have. */
const TABLES = [
  { name: "mfa_factors", column: "factor_type" },
  { name: "webauthn_credentials", column: "public_key" },
  { name: "identities", column: "provider" },
];

/** Fields above, and what Supabase copies from the identities. */
const PROFILE_KEYS = [
  ...["user_name", "preferred_username", "first_name", "given_name", "last_name", "family_name", "full_name", "name"],
  ...["display_name", "locale", "avatar_url", "picture", "sub", "iss", "provider_id", "email", "email_verified"],
  ...["phone", "phone_verified"],
];

/** The rows in the user's record, and those that were merged into it. */
function rowsOf(fields: Fields, table: string): readonly Fields[] {
  return [...fields.objects(table), ...fields.merged(`${table}:`)];
}

/** JSON if the project encrypts hashes; a hash of Firebase may lack the parameters of its project. */
function readPassword(hash: string | undefined, lost: string[]): string | undefined {
  if (hash?.startsWith('{"')) return noPassword(lost, "encrypted with a key of Supabase");
  if (hash?.startsWith("$fbscrypt$") && !/,ss=[^,$]+,sk=[^$]+\$/.test(hash)) {
    return noPassword(lost, "without the salt separator or the signer key of Firebase");
  }
  return toPasswordHash(hash, lost);
}

function toLink(identity: Fields): SourceLink[] {
  const provider = identity.text("provider");
  const data = identity.object("identity_data");
  if (provider === "email" || provider === "phone") return [];
  return toLinks(provider, identity.text("provider_id") ?? data?.text("sub"), data?.text("email"));
}

/** A user may have several authenticator apps, and Signet has one secret. */
function readFactors(factors: readonly Fields[], lost: string[]): string | undefined {
  let otp: string | undefined;
  for (const factor of factors) {
    const type = factor.text("factor_type");
    if (factor.text("status") !== "verified") continue;
    if (type === "phone") lost.push("second factor by SMS");
    else if (type !== "totp") lost.push("security key as second factor");
    else if (otp !== undefined) lost.push("second authenticator app");
    // The secret is JSON if the project encrypts it.
    else if (factor.text("secret")?.startsWith("{")) lost.push("one-time codes: the secret is encrypted");
    else otp = toOtp({ secret: factor.text("secret") ?? "" }, lost);
  }
  return otp;
}

/** Bytes are `\x…` in what PostgreSQL writes. The user handle is the text of the user's id. */
function toPasskey(row: Fields, userId = ""): SourcePasskey[] {
  const [id, publicKey] = ["credential_id", "public_key"].map((name) =>
    decodeHex((row.text(name) ?? "").replace(/^\\x/, "")),
  );
  if (!id?.length || !publicKey?.length) return row.refuse("credential_id", "must have an id and a key in hex");
  return [
    {
      credentialId: encodeBase64Url(id),
      publicKey: encodeBase64Url(publicKey),
      counter: row.count("sign_count") ?? 0,
      name: row.text("friendly_name"),
      userHandle: userId === "" ? undefined : encodeBase64Url(encodeText(userId)),
      isBackupEligible: row.flag("backup_eligible"),
    },
  ];
}
