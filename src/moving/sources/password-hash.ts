import { encodeBase64, encodeText } from "./bytes.ts";

/** The prefixes of the hashes that Signet accepts: docs/api.md, "Password hashes". Those in braces are in any case. */
const PREFIXES = [
  ...["$2a$", "$2b$", "$2y$", "$argon2id$", "$argon2i$", "$argon2d$", "$scrypt$", "$7$", "$firescrypt$", "$fbscrypt$"],
  ...["$pbkdf2$", "$pbkdf2-sha1$", "$pbkdf2-sha224$", "$pbkdf2-sha256$", "$pbkdf2-sha384$", "$pbkdf2-sha512$"],
  ...["pbkdf2_sha1$", "pbkdf2_sha256$", "$5$", "$6$", "$1$", "$apr1$", "$P$", "$H$", "$wp$", "$S$"],
  ...["{SMD5}", "{SSHA}", "{SSHA256}", "{SSHA512}"],
  ...["$md5$pf=", "$sha1$pf=", "$sha256$pf=", "$sha512$pf=", "$better-auth$"],
  ...["$hmac-md5$", "$hmac-sha1$", "$hmac-sha224$", "$hmac-sha256$", "$hmac-sha384$", "$hmac-sha512$"],
  ...["$salted-md5$", "$salted-sha256$", "$salted-hmac-sha256$"],
];

/** Hashes without a salt, which Signet refuses, by their length in hex. */
const UNSALTED: Readonly<Record<number, string>> = { 32: "MD5", 40: "SHA-1", 64: "SHA-256", 128: "SHA-512" };

/**
 * A password hash, if Signet has a scheme for it. The server checks its costs and the rest.
 *
 * @param lost Gets the reason otherwise. It contains no part of the salt or the hash.
 */
export function toPasswordHash(value: string | undefined, lost: string[]): string | undefined {
  const hash = value?.trim();
  if (hash === undefined || hash === "") return undefined;
  const text = hash.replace(/^\{crypt\}(?=\$)/i, "").replace(/^\{\w+\}/, (name) => name.toUpperCase());
  if (PREFIXES.some((prefix) => text.startsWith(prefix))) return hash;
  lost.push(`password: ${describe(hash)}`);
  return undefined;
}

function describe(hash: string): string {
  const unsalted = /^[0-9a-f]+$/i.test(hash) ? UNSALTED[hash.length] : undefined;
  if (unsalted !== undefined) return `unsalted ${unsalted}`;
  // Ory Kratos' form without a salt.
  const digest = /^\$(md5|sha1|sha256|sha512)\$[^$]*$/.exec(hash)?.[1];
  if (digest !== undefined) return `unsalted ${digest.toUpperCase().replace("SHA", "SHA-")}`;
  if (hash.startsWith("$y$") || hash.startsWith("$gy$")) return "yescrypt is not supported";
  const prefix = /^(?:\$[A-Za-z0-9-]{1,20}\$|\{[A-Za-z0-9-]{1,20}\}|[a-z0-9_]{1,20}\$)/.exec(hash)?.[0];
  return prefix === undefined ? "a hash of an unknown scheme" : `the scheme ${prefix} is not supported`;
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

/** Ory Kratos' form of Firebase's hashes. All parts but the numbers are base64. */
export function firebaseHash(parts: {
  readonly memCost: number;
  readonly rounds: number;
  readonly salt: string;
  readonly hash: string;
  readonly saltSeparator: string;
  readonly signerKey: string;
}): string {
  const { memCost, rounds, salt, hash, saltSeparator, signerKey } = parts;
  return `$firescrypt$ln=${memCost},r=${rounds},p=1$${salt}$${hash}$${saltSeparator}$${signerKey}`;
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
