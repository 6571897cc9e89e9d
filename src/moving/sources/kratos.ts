import { decodeBase64, encodeBase64Url } from "../../fields/bytes.ts";
import type { SourcePasskey } from "../source.ts";
import { createSource, toLinks } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { readTraits } from "./kratos-traits.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { parseOtp, toRecoveryCodes } from "./one-time-code.ts";
import { toPasswordHash } from "./password-hash.ts";

/**
 * Pages of `GET /admin/identities` of Ory Kratos with `include_credential`. The traits are those of the owner's schema,
 * so `--map trait=field` says what they mean; traits of the usual names need no map.
 */
export const kratos = createSource({
  name: "kratos",
  arrays: [[], ["identities"]],
  read(fields, lost, options) {
    const { values, others, inactive } = readTraits(fields.object("traits"), options.map, lost);
    const { email, phone } = values;
    const verified = fields
      .objects("verifiable_addresses")
      .filter((address) => address.flag("verified") === true)
      .map((address) => address.text("value")?.toLowerCase());
    const credentials = fields.object("credentials");
    if (fields.text("organization_id") !== undefined) lost.push("organization");
    return {
      sourceId: fields.text("id"),
      ...values,
      emailVerified: email !== undefined && verified.includes(email.toLowerCase()),
      phoneVerified: phone !== undefined && verified.includes(phone.toLowerCase()),
      inactive: inactive || fields.text("state") === "inactive",
      metadata: toMetadata(
        [
          ["kratos_external_id", fields.text("external_id")],
          ...others,
          ...prefixed("metadata_public.", fields.object("metadata_public")),
          ...prefixed("metadata_admin.", fields.object("metadata_admin")),
        ],
        lost,
      ),
      ...readCredentials(credentials, lost),
    };
  },
});

function readCredentials(credentials: Fields | undefined, lost: string[]) {
  const config = (type: string) => credentials?.object(type)?.object("config");
  const password = config("password");
  // Kratos names a credential also if `include_credential` did not ask for its content.
  for (const [type, name] of CREDENTIALS) {
    const credential = credentials?.object(type);
    if (credential !== undefined && credential.object("config") === undefined) lost.push(`${name}: not in the export`);
  }
  if (credentials?.object("code") !== undefined) lost.push("sign-in with codes in messages");
  if (credentials?.object("deviceauthn") !== undefined) lost.push("sign-in with a device");
  if (password?.flag("use_password_migration_hook") === true) lost.push("password: Kratos asks a hook for it");
  const otp = parseOtp(config("totp")?.text("totp_url"), lost);
  const codes = config("lookup_secret")?.objects("recovery_codes") ?? [];
  const unused = codes.flatMap((code) => (code.text("used_at") === undefined ? (code.text("code") ?? []) : []));
  return {
    passwordHash: toPasswordHash(toCryptPrefix(password?.text("hashed_password")), lost),
    otp,
    recoveryCodes: toRecoveryCodes(unused, otp, lost),
    passkeys: [...readPasskeys(config("passkey")), ...readPasskeys(config("webauthn"), lost)],
    links: [config("oidc"), config("saml")]
      .flatMap((providers) => providers?.objects("providers") ?? [])
      .flatMap((link) => toLinks(link.text("provider"), link.text("subject"))),
  };
}

const CREDENTIALS = [
  ["password", "password"],
  ["oidc", "links"],
  ["saml", "links"],
  ["totp", "one-time codes"],
  ["lookup_secret", "recovery codes"],
  ["passkey", "passkeys"],
  ["webauthn", "passkeys"],
] as const;

/** Kratos has names of its own for the schemes of crypt(3). */
const CRYPT_PREFIXES: Readonly<Record<string, string>> = { "md5-crypt": "1", "sha256-crypt": "5", "sha512-crypt": "6" };

function toCryptPrefix(hash: string | undefined): string | undefined {
  return hash?.replace(/^\$(md5-crypt|sha256-crypt|sha512-crypt)\$/, (_, name) => `$${CRYPT_PREFIXES[name]}$`);
}

/**
 * Kratos stores the user handle of the last passkey only, but each passkey has its own, so it is known if there is one.
 *
 * @param lost Gets security keys that are only a second factor. The keys of the strategy `webauthn` say which they are,
 *   those of `passkey` are all passkeys.
 */
function readPasskeys(config: Fields | undefined, lost?: string[]): SourcePasskey[] {
  const keys = config?.objects("credentials") ?? [];
  const handle = keys.length === 1 ? decodeBase64(config?.text("user_handle") ?? "") : undefined;
  return keys.flatMap((key) => {
    if (lost !== undefined && key.flag("is_passwordless") !== true) {
      lost.push("security key as second factor");
      return [];
    }
    const id = decodeBase64(key.text("id") ?? "");
    const publicKey = decodeBase64(key.text("public_key") ?? "");
    if (!id?.length || !publicKey?.length) return key.refuse("id", "must have an id and a key in base64");
    return [
      {
        credentialId: encodeBase64Url(id),
        publicKey: encodeBase64Url(publicKey),
        counter: key.object("authenticator")?.count("sign_count") ?? 0,
        name: key.text("display_name"),
        userHandle: handle?.length ? encodeBase64Url(handle) : undefined,
        // Absent if Kratos registered the passkey before it stored flags.
        isBackupEligible: key.object("flags")?.flag("backup_eligible"),
      },
    ];
  });
}
