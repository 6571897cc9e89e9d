import { encodeBase64, encodeText } from "../fields/bytes.ts";

/** The form of crypt(3). The salt and the hash are in bcrypt's own base64. */
export function bcryptHash(cost: number, salt: string, hash: string): string {
  return `$2a$${String(cost).padStart(2, "0")}$${salt}${hash}`;
}

/** Passlib's form of PBKDF2. */
export function pbkdf2Hash(digest: string, iterations: number, salt: Uint8Array, hash: Uint8Array): string {
  return `$pbkdf2-${digest}$${iterations}$${encodeBase64(salt)}$${encodeBase64(hash)}`;
}

/** The PHC string of scrypt. */
export function scryptHash(
  { n, r, p }: { readonly n: number; readonly r: number; readonly p: number },
  salt: Uint8Array,
  hash: Uint8Array,
): string {
  return `$scrypt$ln=${Math.log2(n)},r=${r},p=${p}$${encodeBase64(salt)}$${encodeBase64(hash)}`;
}

/** Ory Kratos' form of Firebase's hashes. */
export function firebaseHash(parts: {
  readonly memCost: number;
  readonly rounds: number;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
  readonly saltSeparator: Uint8Array;
  readonly signerKey: Uint8Array;
}): string {
  const { memCost, rounds, salt, hash, saltSeparator, signerKey } = parts;
  const encoded = [salt, hash, saltSeparator, signerKey].map(encodeBase64);
  return `$firescrypt$ln=${memCost},r=${rounds},p=1$${encoded.join("$")}`;
}

/**
 * The digest of a password with a salt before or behind it: behind it in the form of LDAP directories, before it in Ory
 * Kratos' form.
 */
export function saltedDigestHash(
  digest: "md5" | "sha1" | "sha256" | "sha512",
  position: "prefix" | "suffix",
  salt: Uint8Array,
  hash: Uint8Array,
): string {
  if (position === "suffix") return `{${LDAP_SCHEMES[digest]}}${encodeBase64(join(hash, salt))}`;
  return `$${digest}$pf=${encodeBase64(encodeText("{SALT}{PASSWORD}"))}$${encodeBase64(salt)}$${encodeBase64(hash)}`;
}

const LDAP_SCHEMES = { md5: "SMD5", sha1: "SSHA", sha256: "SSHA256", sha512: "SSHA512" };

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
