import { describeMemoryProblem } from "./hash-memory.ts";
import { namePrefix, PREFIXES, prefixOf, recognizeHash, type SchemeName } from "./hash-prefixes.ts";
import { type Argon2Hash, argon2 } from "./schemes/argon2.ts";
import { type BcryptHash, bcrypt } from "./schemes/bcrypt.ts";
import { type BcryptSha256Hash, bcryptSha256 } from "./schemes/bcrypt-sha256.ts";
import { type BetterAuthHash, betterAuth } from "./schemes/better-auth.ts";
import { type DrupalHash, drupal } from "./schemes/drupal.ts";
import { type FirebaseHash, firebase } from "./schemes/firebase.ts";
import { type FusionAuthHash, fusionAuth } from "./schemes/fusionauth.ts";
import { type HmacHash, hmac } from "./schemes/hmac.ts";
import { type LdapHash, ldap } from "./schemes/ldap.ts";
import { type Md5CryptHash, md5Crypt } from "./schemes/md5-crypt.ts";
import { type Pbkdf2Hash, pbkdf2 } from "./schemes/pbkdf2.ts";
import { type PhpassHash, phpass } from "./schemes/phpass.ts";
import { type SaltedDigestHash, saltedDigest } from "./schemes/salted-digest.ts";
import type { ParseResult, Scheme } from "./schemes/scheme.ts";
import { type ScryptHash, scrypt } from "./schemes/scrypt.ts";
import { type ShaCryptHash, shaCrypt } from "./schemes/sha-crypt.ts";
import { type WordPressHash, wordPress } from "./schemes/wordpress.ts";

/** Discriminated by `scheme`. */
export type PasswordHash =
  | BcryptHash
  | Argon2Hash
  | ScryptHash
  | Pbkdf2Hash
  | ShaCryptHash
  | Md5CryptHash
  | PhpassHash
  | WordPressHash
  | DrupalHash
  | FirebaseHash
  | LdapHash
  | SaltedDigestHash
  | HmacHash
  | FusionAuthHash
  | BetterAuthHash
  | BcryptSha256Hash;

/**
 * Parses a password hash in Modular Crypt Format, or in a form of another program (`otherForms`). It
 * must have a supported scheme, be complete, and not be too expensive to verify. A hash that no library would verify,
 * such as one with nonzero unused bits, is rejected too.
 *
 * A problem names the value's scheme and what is allowed. It contains no other part of the value.
 */
export function parsePasswordHash(value: string): ParseResult<PasswordHash> {
  if (value.length > LONGEST_HASH) {
    return { ok: false, problem: `must be at most ${LONGEST_HASH} characters long` };
  }
  const { text, prefix, scheme, incompleteForm } = recognizeHash(value);
  if (incompleteForm !== undefined) return { ok: false, problem: `must be a complete hash: ${incompleteForm}` };
  if (prefix === undefined) {
    return { ok: false, problem: `must be in Modular Crypt Format; supported schemes: ${SUPPORTED}` };
  }
  if (scheme === undefined) {
    const seen = namePrefix(prefix);
    return { ok: false, problem: `must use a supported scheme, not ${seen}; supported schemes: ${SUPPORTED}` };
  }
  return SCHEMES[scheme].parse(text);
}

/** Describes why a password hash cannot be imported, like `parsePasswordHash`; undefined if it can. */
export function describeHashProblem(value: string): string | undefined {
  const parsed = parsePasswordHash(value);
  return parsed.ok ? describeMemoryProblem(parsed.hash) : parsed.problem;
}

/**
 * Describes why an algorithm does not fit a password hash; undefined if it is the name or the prefix of the hash's
 * scheme, ignoring case and punctuation, such as `argon2` and `argon2id` for `$argon2id$…`. Also undefined for a hash of
 * no known scheme, which is a problem of its own.
 */
export function describeAlgorithmProblem(algorithm: string, value: string): string | undefined {
  const { prefix, scheme } = recognizeHash(value);
  if (prefix === undefined || scheme === undefined) return undefined;
  const fitting = [SCHEMES[scheme].name, prefix, prefixOf(value) ?? ""].filter(Boolean).map(toLettersAndDigits);
  if (fitting.includes(toLettersAndDigits(algorithm))) return undefined;
  return `must fit the value, which is a hash of ${SCHEMES[scheme].name} (${prefix}), or be absent`;
}

function toLettersAndDigits(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Whether a password matches a parsed hash. Blocks its thread; see `Scheme.verify`. */
export function verifyPasswordHash(hash: PasswordHash, password: string): boolean {
  const scheme: Scheme<PasswordHash> = SCHEMES[hash.scheme];
  return scheme.verify(hash, password);
}

/** In characters. The longest form in use is far shorter: PBKDF2 with a 64-byte hash and a 128-byte salt has 286. */
const LONGEST_HASH = 512;

const SCHEMES: { readonly [Name in SchemeName]: Scheme<Extract<PasswordHash, { scheme: Name }>> } = {
  bcrypt,
  argon2,
  scrypt,
  PBKDF2: pbkdf2,
  "SHA-crypt": shaCrypt,
  "MD5-crypt": md5Crypt,
  phpass,
  WordPress: wordPress,
  Drupal: drupal,
  Firebase: firebase,
  LDAP: ldap,
  "salted digest": saltedDigest,
  HMAC: hmac,
  FusionAuth: fusionAuth,
  "Better Auth": betterAuth,
  "bcrypt-sha256": bcryptSha256,
};

const SUPPORTED = Object.entries(PREFIXES)
  .map(([name, prefixes]) => `${name} (${prefixes.join(" ")})`)
  .join(", ");
