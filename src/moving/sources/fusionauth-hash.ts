import { decodeBase64, decodeHex, encodeBase64 } from "../../fields/bytes.ts";
import { bcryptHash, pbkdf2Hash } from "../../passwords/write-hash.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";

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
export function readFusionAuthHash(parts: HashParts, lost: string[]): string | undefined {
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
