import { decodeBase64, decodeHex, encodeText } from "../../fields/bytes.ts";
import { recognizeHash } from "../../passwords/hash-prefixes.ts";
import { firebaseHash, pbkdf2Hash } from "../../passwords/write-hash.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";

/**
 * A hash of Clerk, converted to a form that Signet accepts. The forms are those in the description of `password_hasher`
 * in Clerk's API.
 *
 * @param lost Gets the reason if there is none.
 */
export function readClerkHash(
  hasher: string | undefined,
  digest: string | undefined,
  lost: string[],
): string | undefined {
  if (digest === undefined) return undefined;
  const name = hasher?.toLowerCase() ?? "bcrypt";
  const read = Object.hasOwn(HASHERS, name) ? HASHERS[name] : undefined;
  if (read === undefined) return noPassword(lost, REASONS.get(name) ?? notSupported("hasher", name));
  const hash = read(digest);
  return hash === undefined ? noPassword(lost, `not a complete hash of ${name}`) : toPasswordHash(hash, lost);
}

const REASONS = new Map([
  ["md5", "unsalted MD5"],
  ["sha256", "unsalted SHA-256"],
  ["awscognito", "Clerk asks Cognito for it"],
  ["bcrypt_peppered", "the pepper is not in the export"],
]);

/** Complete hashes are left as they are. */
const asIs = (digest: string): string => digest;

const HASHERS: Readonly<Record<string, (digest: string) => string | undefined>> = {
  bcrypt: asIs,
  argon2i: asIs,
  argon2id: asIs,
  phpass: asIs,
  ldap_ssha: asIs,
  // The salt is text.
  pbkdf2_sha256_django: asIs,
  pbkdf2_sha1: (digest) => readPbkdf2("sha1", digest, { salt: encodeText, hash: decodeHex }),
  pbkdf2_sha256: (digest) => readPbkdf2("sha256", digest, { salt: decodeBase64, hash: decodeBase64 }),
  pbkdf2_sha512: (digest) => readPbkdf2("sha512", digest, { salt: decodeBase64, hash: decodeBase64 }),
  pbkdf2_sha512_hex: (digest) => readPbkdf2("sha512", digest, { salt: decodeHex, hash: decodeHex }),
  scrypt_firebase: readFirebase,
  scrypt_werkzeug: (digest) => (recognizeHash(digest).scheme === "scrypt" ? digest : undefined),
};

type Decode = (text: string) => Uint8Array | undefined;

/** `<name>$<iterations>$<salt>$<hash>` */
function readPbkdf2(digest: string, value: string, decode: { readonly salt: Decode; readonly hash: Decode }) {
  const [, iterations, saltText, hashText, more] = value.split("$");
  const salt = decode.salt(saltText ?? "");
  const hash = decode.hash(hashText ?? "");
  if (!/^\d{1,9}$/.test(iterations ?? "") || !salt?.length || !hash?.length || more !== undefined) return undefined;
  return pbkdf2Hash(digest, Number(iterations), salt, hash);
}

/** `<hash>$<salt>$<signer key>$<salt separator>$<rounds>$<memory cost>` */
function readFirebase(value: string): string | undefined {
  const parts = value.split("$");
  const [hash, salt, signerKey, saltSeparator] = parts.slice(0, 4).map((part) => decodeBase64(part));
  const [rounds, memCost] = parts.slice(4).map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : undefined));
  if (!hash?.length || !salt?.length || !signerKey || !saltSeparator || rounds === undefined || memCost === undefined) {
    return undefined;
  }
  return firebaseHash({ memCost, rounds, salt, hash, saltSeparator, signerKey });
}
