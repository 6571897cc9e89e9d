import { describeMemoryProblem } from "./hash-memory.ts";
import { namePrefix, PREFIXES, prefixOf, recognizeHash, type SchemeName } from "./hash-prefixes.ts";
import { argon2 } from "./schemes/argon2.ts";
import { bcrypt } from "./schemes/bcrypt.ts";
import { bcryptSha256 } from "./schemes/bcrypt-sha256.ts";
import { betterAuth } from "./schemes/better-auth.ts";
import { drupal } from "./schemes/drupal.ts";
import { firebase } from "./schemes/firebase.ts";
import { fusionAuth } from "./schemes/fusionauth.ts";
import { hmac } from "./schemes/hmac.ts";
import { ldap } from "./schemes/ldap.ts";
import { md5Crypt } from "./schemes/md5-crypt.ts";
import { pbkdf2 } from "./schemes/pbkdf2.ts";
import { phpass } from "./schemes/phpass.ts";
import { saltedDigest } from "./schemes/salted-digest.ts";
import type { ParseResult, Scheme } from "./schemes/scheme.ts";
import { scrypt } from "./schemes/scrypt.ts";
import { shaCrypt } from "./schemes/sha-crypt.ts";
import { wordPress } from "./schemes/wordpress.ts";

/** Discriminated by `scheme`. */
export type PasswordHash = Parameters<(typeof SCHEMES)[SchemeName]["verify"]>[0];

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

const SCHEMES = {
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
} as const satisfies { readonly [Name in SchemeName]: Scheme<{ readonly scheme: Name }> };

const SUPPORTED = Object.entries(PREFIXES)
  .map(([name, prefixes]) => `${name} (${prefixes.join(" ")})`)
  .join(", ");
