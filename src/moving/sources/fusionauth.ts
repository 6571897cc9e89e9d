import { decodeBase64, decodeHex, encodeBase64 } from "../../fields/bytes.ts";
import { bcryptHash, pbkdf2Hash } from "../../passwords/write-hash.ts";
import { encodeBase32 } from "../../sign-in/code/base32.ts";
import { createSource, toLinks } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { toOtp, toRecoveryCodes } from "./one-time-code.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";
import { toLanguage } from "./profile.ts";

/**
 * Users in the form of FusionAuth's API: responses of `/api/user/search`, which have no hashes, and bodies of
 * `/api/user/import`. Hashes and links of the database are records of other files.
 */
export const fusionauth = createSource({
  name: "fusionauth",
  arrays: [["users"], []],
  secondFile(fields, record) {
    const id = fields.text("users_id");
    if (id === undefined) return undefined;
    const provider = fields.text("identity_provider");
    if (provider !== undefined) return { id, values: { [`${LINK}${provider}`]: record } };
    const scheme = fields.text("encryption_scheme");
    const [factor, salt, password] = ["factor", "salt", "password"].map((name) => fields.text(name));
    return { id, values: scheme === undefined ? {} : { encryptionScheme: scheme, factor, salt, password } };
  },
  read(fields, lost) {
    const [language, ...languages] = fields.texts("preferredLanguages");
    const twoFactor = fields.object("twoFactor");
    const otp = readMethods(twoFactor?.objects("methods") ?? [], lost);
    const verified = fields.flag("verified");
    const phoneNumber = fields.text("phoneNumber");
    if (languages.length > 0) lost.push("second language");
    if (fields.text("expiry") !== undefined && !isExpired(fields)) lost.push("the time at which the user expires");
    if (fields.text("imageUrl") !== undefined) lost.push("picture");
    if (fields.objects("registrations").length > 0) lost.push("registrations and roles");
    if (fields.objects("memberships").length > 0) lost.push("memberships of groups");
    return {
      sourceId: fields.text("id", "email", "username"),
      userName: fields.text("username"),
      firstName: fields.text("firstName"),
      lastName: fields.text("lastName"),
      displayName: fields.text("fullName"),
      language: toLanguage(language, lost),
      email: fields.text("email"),
      emailVerified: isVerified(fields, "email") ?? verified,
      // Only a number that people sign in with is verified.
      phone: phoneNumber ?? fields.text("mobilePhone"),
      phoneVerified: phoneNumber !== undefined && isVerified(fields, "phoneNumber") === true,
      passwordHash: readPassword(fields, lost),
      passwordChangeRequired: fields.flag("passwordChangeRequired"),
      otp,
      recoveryCodes: toRecoveryCodes(twoFactor?.texts("recoveryCodes") ?? [], otp, lost),
      links: fields.entries().flatMap(([name]) => {
        const row = name.startsWith(LINK) ? fields.object(name) : undefined;
        return toLinks(row?.text("identity_provider"), row?.text("identity_providers_user_id"));
      }),
      metadata: toMetadata(
        [...prefixed("data.", fields.object("data")), ...METADATA.map((name) => [name, fields.text(name)] as const)],
        lost,
      ),
      inactive: isExpired(fields),
    };
  },
});

/** The beginning of the names of links that were merged into a user. */
const LINK = "link:";

const METADATA = ["middleName", "birthDate", "timezone", "parentEmail"];

/** In newer versions, each address, number and name has a status of its own. */
function isVerified(fields: Fields, type: "email" | "phoneNumber"): boolean | undefined {
  const value = fields.text(type)?.toLowerCase();
  const identity = fields
    .objects("identities")
    .find((each) => each.text("type") === type && each.text("value")?.toLowerCase() === value);
  return identity?.flag("verified");
}

/** Milliseconds since 1970. */
function isExpired(fields: Fields): boolean {
  const expiry = fields.count("expiry");
  return expiry !== undefined && expiry <= Date.now();
}

function readPassword(fields: Fields, lost: string[]): string | undefined {
  const password = fields.text("password");
  if (password === undefined) return noPassword(lost, "not in the export");
  const scheme = fields.text("encryptionScheme");
  if (scheme === undefined) return noPassword(lost, "without its scheme");
  return readFusionAuthHash(
    { scheme, factor: fields.count("factor") ?? 1, salt: fields.text("salt") ?? "", password },
    lost,
  );
}

/** A user may have several methods, and Signet has one secret, which FusionAuth writes in base64. */
function readMethods(methods: readonly Fields[], lost: string[]): string | undefined {
  let otp: string | undefined;
  for (const each of methods) {
    const method = each.text("method") ?? "";
    const secret = each.text("secret");
    if (method !== "authenticator") lost.push(`second factor by ${method === "sms" ? "SMS" : method}`);
    else if (secret === undefined) lost.push("one-time codes: not in the export");
    else if (otp !== undefined) lost.push("second authenticator app");
    else otp = readSecret(secret, each.object("authenticator"), lost);
  }
  return otp;
}

function readSecret(secret: string, settings: Fields | undefined, lost: string[]): string | undefined {
  const bytes = decodeBase64(secret);
  return toOtp(
    {
      secret: bytes === undefined ? secret : encodeBase32(bytes),
      algorithm: settings?.text("algorithm"),
      digits: settings?.count("codeLength"),
      periodSeconds: settings?.count("timeStep"),
    },
    lost,
  );
}

/** The parts of a hash, as FusionAuth stores them. */
interface HashParts {
  readonly scheme: string;
  readonly factor: number;
  /** Base64; of bcrypt, in its own alphabet. */
  readonly salt: string;
  readonly password: string;
}

/**
 * A hash of FusionAuth, converted to a form that Signet accepts. The schemes are those of its reference "Password-Hashing
 * Algorithms".
 *
 * @param lost Gets the reason if there is none.
 */
function readFusionAuthHash(parts: HashParts, lost: string[]): string | undefined {
  const { scheme, factor, salt, password } = parts;
  const refuse = (reason: string) => noPassword(lost, reason);
  if (scheme === "bcrypt") return toPasswordHash(bcryptHash(factor, salt, password), lost);
  const digest = PBKDF2.get(scheme);
  if (digest === undefined && !OWN.includes(scheme)) return refuse(notSupported("scheme", scheme));
  const saltBytes = decodeBase64(salt);
  // The documentation of imports has an example in hex.
  const hashBytes = /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/i.test(password) ? decodeHex(password) : decodeBase64(password);
  if (!saltBytes?.length || !hashBytes?.length) return refuse(`not a complete hash of ${scheme}`);
  if (digest !== undefined) return toPasswordHash(pbkdf2Hash(digest, factor, saltBytes, hashBytes), lost);
  return toPasswordHash(`$${scheme}$${factor}$${encodeBase64(saltBytes)}$${encodeBase64(hashBytes)}`, lost);
}

const PBKDF2 = new Map([
  ["salted-pbkdf2-hmac-sha256", "sha256"],
  ["salted-pbkdf2-hmac-sha256-512", "sha256"],
  ["salted-pbkdf2-hmac-sha512-512", "sha512"],
]);

/** Those of FusionAuth itself, which Signet has too. */
const OWN = ["salted-md5", "salted-sha256", "salted-hmac-sha256"];
