import { type Argon2Hash, argon2 } from "./schemes/argon2.ts";
import { type BcryptHash, bcrypt } from "./schemes/bcrypt.ts";
import { type Md5CryptHash, md5Crypt } from "./schemes/md5-crypt.ts";
import { type Pbkdf2Hash, pbkdf2 } from "./schemes/pbkdf2.ts";
import { type PhpassHash, phpass } from "./schemes/phpass.ts";
import type { ParseResult, Scheme } from "./schemes/scheme.ts";
import { type ScryptHash, scrypt } from "./schemes/scrypt.ts";
import { type ShaCryptHash, shaCrypt } from "./schemes/sha-crypt.ts";

/** Told apart by `scheme`. */
export type PasswordHash = BcryptHash | Argon2Hash | ScryptHash | Pbkdf2Hash | ShaCryptHash | Md5CryptHash | PhpassHash;

/**
 * Parses a password hash in Modular Crypt Format: of a supported scheme, complete, and not too expensive to verify.
 *
 * A problem names the scheme of the value and what is allowed. It contains no other part of the value.
 */
export function parsePasswordHash(value: string): ParseResult<PasswordHash> {
  if (value.length > LONGEST_HASH) {
    return { ok: false, problem: `must be at most ${LONGEST_HASH} characters long` };
  }
  const identifier = /^\$([A-Za-z0-9-]{1,20})\$/.exec(value)?.[1];
  if (identifier === undefined) {
    return { ok: false, problem: `must be in Modular Crypt Format; supported are ${SUPPORTED}` };
  }
  const scheme = SCHEMES.find(({ identifiers }) => identifiers.includes(identifier));
  if (scheme === undefined) {
    return { ok: false, problem: `must be of a supported scheme, not $${identifier}$; supported are ${SUPPORTED}` };
  }
  return scheme.parse(value);
}

/** Describes why a password hash cannot be imported, or returns undefined, as `parsePasswordHash` does. */
export function describeHashProblem(value: string): string | undefined {
  const parsed = parsePasswordHash(value);
  return parsed.ok ? undefined : parsed.problem;
}

/** In characters. The longest form in use is far shorter: PBKDF2 with 64 bytes of hash and 128 of salt has 286. */
const LONGEST_HASH = 512;

const SCHEMES: readonly Scheme<PasswordHash>[] = [bcrypt, argon2, scrypt, pbkdf2, shaCrypt, md5Crypt, phpass];

const SUPPORTED = SCHEMES.map(({ name, identifiers }) => {
  return `${name} (${identifiers.map((identifier) => `$${identifier}$`).join(" ")})`;
}).join(", ");
