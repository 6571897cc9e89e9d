import { decodeHex, encodeText } from "../../fields/bytes.ts";
import { pbkdf2Hash, saltedDigestHash } from "../../passwords/write-hash.ts";
import type { SourceLink } from "../source.ts";
import { createSource, toLinks } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { toOtp, toRecoveryCodes } from "./one-time-code.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";
import { toGender, toLanguage, withPlus } from "./profile.ts";

/** Rows of Logto's table `users` as JSON, with those of `user_sso_identities`, and users of its API, which have no hashes. */
export const logto = createSource({
  name: "logto",
  arrays: [[], ["users"]],
  read(fields, lost) {
    const profile = fields.object("profile");
    const email = fields.text("primary_email", "primaryEmail");
    const phone = fields.text("primary_phone", "primaryPhone");
    const factors = readFactors(fields.objects("mfa_verifications", "mfaVerifications"), lost);
    if (fields.text("avatar") !== undefined) lost.push("picture");
    return {
      sourceId: fields.text("id"),
      userName: fields.text("username"),
      firstName: profile?.text("givenName"),
      lastName: profile?.text("familyName"),
      displayName: fields.text("name"),
      nickName: profile?.text("nickname"),
      language: toLanguage(profile?.text("locale"), lost),
      gender: toGender(profile?.text("gender"), lost),
      email,
      // Logto says so of each address and number to its applications.
      emailVerified: email !== undefined,
      phone: withPlus(phone),
      phoneVerified: phone !== undefined,
      passwordHash: readPassword(fields, lost),
      ...factors,
      links: [
        ...(fields.object("identities")?.entries() ?? []).flatMap(([provider]) => toLink(fields, provider)),
        ...fields
          .objects("sso_identities", "ssoIdentities")
          .flatMap((identity) => toLinks(identity.text("issuer"), identity.text("identity_id", "identityId"))),
      ],
      metadata: toMetadata(
        [
          ...prefixed("custom_data.", fields.object("custom_data", "customData")),
          ...prefixed("profile.", profile, PROFILE_KEYS),
        ],
        lost,
      ),
      inactive: fields.flag("is_suspended", "isSuspended"),
    };
  },
});

const PROFILE_KEYS = ["givenName", "familyName", "nickname", "locale", "gender"];

function readPassword(fields: Fields, lost: string[]): string | undefined {
  const hash = fields.text("password_encrypted", "passwordEncrypted", "passwordDigest");
  const method = fields.text("password_encryption_method", "passwordEncryptionMethod", "passwordAlgorithm");
  if (hash === undefined) {
    if (fields.flag("hasPassword") === true) lost.push("password: not in the export");
    return undefined;
  }
  return method === "Legacy" ? readLegacyHash(hash, lost) : toPasswordHash(hash, lost);
}

/** A user has at most one authenticator app. */
function readFactors(factors: readonly Fields[], lost: string[]) {
  const find = (type: string) => factors.filter((factor) => factor.text("type") === type);
  const [totp] = find("Totp");
  const key = totp?.text("key");
  if (totp !== undefined && key === undefined) lost.push("one-time codes: not in the export");
  if (find("WebAuthn").length > 0) lost.push("passkeys");
  const otp = key && toOtp({ secret: key }, lost);
  const codes = find("BackupCode")
    .flatMap((factor) => factor.objects("codes"))
    .flatMap((code) => (code.text("usedAt") === undefined ? [code.text("code") ?? ""] : []));
  return { otp, recoveryCodes: toRecoveryCodes(codes, otp, lost) };
}

/** An object with the target of the connector as key, such as `google`. */
function toLink(fields: Fields, provider: string): SourceLink[] {
  const identity = fields.object("identities")?.object(provider);
  return toLinks(provider, identity?.text("userId"), identity?.object("details")?.text("email", "name"));
}

/**
 * A hash with Logto's method `Legacy`, converted to a form that Signet accepts: JSON such as
 * `["sha256", ["salt", "@"], "<hash in hex>"]`, in which `@` stands for the password.
 *
 * @param lost Gets the reason if there is none.
 */
function readLegacyHash(text: string, lost: string[]): string | undefined {
  const refuse = (reason: string) => noPassword(lost, reason);
  const { name, parts, hash } = parseLegacy(text) ?? {};
  if (name === undefined || parts === undefined || !hash?.length)
    return refuse("not a complete hash of Logto's Legacy");
  if (name === "pbkdf2") {
    const [salt = "", iterations = "", , digest = ""] = parts;
    if (salt === "" || !/^\d{1,9}$/.test(iterations)) return refuse("not a complete hash of Logto's Legacy");
    return toPasswordHash(pbkdf2Hash(digest, Number(iterations), encodeText(salt), hash), lost);
  }
  const digest = DIGESTS.find((each) => each === name);
  if (digest === undefined) return refuse(notSupported("algorithm", name));
  const at = parts.indexOf("@");
  const [before, after] = [parts.slice(0, at).join(""), parts.slice(at + 1).join("")];
  if (at === -1 || parts.lastIndexOf("@") !== at || (before !== "" && after !== "")) {
    return refuse("the order of the salt and the password is not supported");
  }
  if (before === "" && after === "") return refuse(`unsalted ${digest}`);
  const position = before === "" ? "suffix" : "prefix";
  return toPasswordHash(saltedDigestHash(digest, position, encodeText(before || after), hash), lost);
}

const DIGESTS = ["md5", "sha1", "sha256", "sha512"] as const;

function parseLegacy(text: string) {
  try {
    const [name, parts, hash]: readonly unknown[] = JSON.parse(text);
    if (typeof name !== "string" || !Array.isArray(parts) || typeof hash !== "string") return undefined;
    return { name: name.toLowerCase(), parts: parts.map(String), hash: decodeHex(hash) };
  } catch {
    return undefined;
  }
}
