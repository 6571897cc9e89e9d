import { decodeBase64, decodeHex, encodeBase64, encodeText } from "../../fields/bytes.ts";
import { saltedDigestHash, scryptHash } from "../../passwords/write-hash.ts";
import type { Fields } from "./fields.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";

/**
 * A hash in Auth0's `custom_password_hash`, converted to a form that Signet accepts.
 *
 * @param lost Gets the reason if there is none.
 */
export function readCustomHash(custom: Fields, lost: string[]): string | undefined {
  const algorithm = custom.text("algorithm")?.toLowerCase() ?? "";
  const hash = custom.object("hash");
  const salt = custom.object("salt");
  const refuse = (reason: string) => noPassword(lost, reason);
  const encoding = custom.object("password")?.text("encoding") ?? "utf8";
  if (!/^(?:utf-?8|ascii)$/i.test(encoding)) return refuse("the encoding of the password is not supported");
  switch (algorithm) {
    case "bcrypt":
    case "argon2":
    case "pbkdf2":
    case "ldap":
      // Complete hashes: `$2b$…`, PHC strings, `{SSHA}…`.
      return toPasswordHash(hash?.text("value"), lost);
    case "md5":
    case "sha1":
    case "sha256":
    case "sha512": {
      const digest = readBytes(hash);
      const saltBytes = readBytes(salt);
      if (digest === undefined) return refuse("the encoding of the hash is not supported");
      if (saltBytes === undefined || saltBytes.length === 0) return refuse(`unsalted ${DIGEST_NAMES[algorithm]}`);
      const position = salt?.text("position") === "suffix" ? "suffix" : "prefix";
      return toPasswordHash(saltedDigestHash(algorithm, position, saltBytes, digest), lost);
    }
    case "hmac":
      return readHmac(hash, salt, refuse, lost);
    case "scrypt": {
      const derived = readBytes(hash);
      const saltBytes = readBytes(salt);
      if (!derived || !saltBytes) return refuse("the encoding of the hash or salt is not supported");
      // The defaults are Auth0's.
      const n = custom.count("cost") ?? 16_384;
      const r = custom.count("blockSize") ?? 8;
      const p = custom.count("parallelization") ?? 1;
      if (!Number.isInteger(Math.log2(n))) return refuse("the cost of scrypt is not a power of two");
      return scryptHash({ n, r, p }, saltBytes, derived);
    }
    default:
      return refuse(notSupported("algorithm", algorithm));
  }
}

const DIGEST_NAMES = { md5: "MD5", sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" };

/** The key is the salt of this family. */
function readHmac(
  hash: Fields | undefined,
  salt: Fields | undefined,
  refuse: (reason: string) => undefined,
  lost: string[],
): string | undefined {
  const digest = hash?.text("digest")?.toLowerCase() ?? "";
  const mac = readBytes(hash);
  const key = readBytes(hash?.object("key"));
  if (salt !== undefined) return refuse("HMAC with a salt is not supported");
  if (!mac || !key || !/^(?:md5|sha(?:1|224|256|384|512))$/.test(digest)) return refuse("the HMAC is not supported");
  const hex = Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return toPasswordHash(`$hmac-${digest}$${encodeBase64(encodeText(hex))}$${encodeBase64(key)}`, lost);
}

/** A `value` with its `encoding`. */
function readBytes(part: Fields | undefined): Uint8Array | undefined {
  const value = part?.text("value");
  if (value === undefined) return undefined;
  switch (part?.text("encoding")?.toLowerCase() ?? "utf8") {
    case "base64":
      return decodeBase64(value);
    case "hex":
      return decodeHex(value);
    case "utf8":
    case "utf-8":
      return encodeText(value);
    default:
      return undefined;
  }
}
