import { decodeBase64 } from "../../fields/bytes.ts";
import { bcryptHash, pbkdf2Hash, saltedDigestHash } from "../../passwords/write-hash.ts";
import { createSource } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";
import { toLanguage } from "./profile.ts";

/**
 * Pages of Okta's `GET /api/v1/users`, which have no hashes, and users in the form in which Okta takes hashes: the body of
 * `POST /api/v1/users`, with `credentials.password.hash`.
 */
export const okta = createSource({
  name: "okta",
  arrays: [[], ["users"]],
  read(fields, lost) {
    const profile = fields.object("profile");
    const credentials = fields.object("credentials");
    const email = profile?.text("email");
    if (profile?.text("secondEmail") !== undefined) lost.push("second email address");
    if (credentials?.object("recovery_question")?.text("question") !== undefined) lost.push("security question");
    return {
      sourceId: fields.text("id") ?? profile?.text("login"),
      userName: profile?.text("login"),
      firstName: profile?.text("firstName"),
      lastName: profile?.text("lastName"),
      displayName: profile?.text("displayName"),
      nickName: profile?.text("nickName"),
      language: toLanguage(profile?.text("preferredLanguage", "locale"), lost),
      email,
      emailVerified: isVerified(credentials, email),
      phone: profile?.text("mobilePhone"),
      passwordHash: readPassword(credentials, lost),
      metadata: toMetadata(prefixed("profile.", profile, PROFILE_KEYS), lost),
    };
  },
});

const PROFILE_KEYS = [
  ...["login", "firstName", "lastName", "displayName", "nickName", "preferredLanguage", "locale", "email"],
  ...["secondEmail", "mobilePhone"],
];

/** Okta lists the addresses with their status in the credentials. */
function isVerified(credentials: Fields | undefined, email: string | undefined): boolean {
  const emails = credentials?.objects("emails") ?? [];
  return emails.some((each) => each.text("value") === email && each.text("status") === "VERIFIED");
}

/** Directories and other providers verify the passwords of their users themselves. */
const PROVIDERS = new Map([
  ["OKTA", "Okta gives no hashes"],
  ["IMPORT", "Okta gives no hashes"],
  ["ACTIVE_DIRECTORY", "Active Directory verifies it"],
  ["LDAP", "an LDAP directory verifies it"],
]);

function readPassword(credentials: Fields | undefined, lost: string[]): string | undefined {
  const hash = credentials?.object("password")?.object("hash");
  if (hash !== undefined) return readOktaHash(hash, lost);
  const reason = PROVIDERS.get(credentials?.object("provider")?.text("type") ?? "OKTA");
  if (reason !== undefined) lost.push(`password: ${reason}`);
  return undefined;
}

/**
 * A hash in the form of Okta's `PasswordCredentialHash`, converted to a form that Signet accepts.
 *
 * @param lost Gets the reason if there is none.
 */
function readOktaHash(hash: Fields, lost: string[]): string | undefined {
  const algorithm = hash.text("algorithm") ?? "";
  const refuse = (reason: string) => noPassword(lost, reason);
  const value = hash.text("value") ?? "";
  const saltText = hash.text("salt") ?? "";
  if (algorithm === "BCRYPT") return toPasswordHash(bcryptHash(hash.count("workFactor") ?? 0, saltText, value), lost);
  const bytes = decodeBase64(value);
  const salt = decodeBase64(saltText);
  const digest = DIGESTS.get(algorithm);
  if (digest === undefined && algorithm !== "PBKDF2") return refuse(notSupported("algorithm", algorithm));
  if (!bytes?.length || salt === undefined) return refuse(`not a complete hash of ${algorithm}`);
  if (salt.length === 0) return refuse(`unsalted ${algorithm}`);
  if (digest !== undefined) {
    const position = POSITIONS.get(hash.text("saltOrder") ?? "");
    if (position === undefined) return refuse("without the order of the salt");
    return toPasswordHash(saltedDigestHash(digest, position, salt, bytes), lost);
  }
  const hmac = HMACS.get(hash.text("digestAlgorithm") ?? "");
  const iterations = hash.count("iterationCount");
  if (hmac === undefined || iterations === undefined) return refuse("not a complete hash of PBKDF2");
  return toPasswordHash(pbkdf2Hash(hmac, iterations, salt, bytes), lost);
}

const DIGESTS = new Map<string, "md5" | "sha1" | "sha256" | "sha512">([
  ["MD5", "md5"],
  ["SHA-1", "sha1"],
  ["SHA-256", "sha256"],
  ["SHA-512", "sha512"],
]);

const POSITIONS = new Map<string, "prefix" | "suffix">([
  ["PREFIX", "prefix"],
  ["POSTFIX", "suffix"],
]);

const HMACS = new Map([
  ["SHA256_HMAC", "sha256"],
  ["SHA512_HMAC", "sha512"],
]);
