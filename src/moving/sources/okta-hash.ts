import { decodeBase64 } from "../../fields/bytes.ts";
import { bcryptHash, pbkdf2Hash, saltedDigestHash } from "../../passwords/write-hash.ts";
import type { Fields } from "./fields.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";

/**
 * A hash in the form of Okta's `PasswordCredentialHash`, converted to a form that Signet accepts.
 *
 * @param lost Gets the reason if there is none.
 */
export function readOktaHash(hash: Fields, lost: string[]): string | undefined {
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
