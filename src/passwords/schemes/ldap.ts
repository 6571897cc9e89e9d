import { hash as digestOf } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { SIZES } from "./bounds.ts";
import { incomplete, isEqual, type Scheme } from "./scheme.ts";

interface LdapHash {
  readonly scheme: "LDAP";
  readonly digest: "md5" | "sha1" | "sha256" | "sha384" | "sha512";
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Salted digests from LDAP directories, in the form of RFC 2307: base64 of the digest followed by the salt. Unsalted
 * digests (`{SHA}`, `{MD5}`) are rejected: they protect a password hardly better than plain text.
 */
export const ldap: Scheme<LdapHash> = {
  name: "LDAP",
  parse(value) {
    const { name = "", content } = FORM.exec(value)?.groups ?? {};
    const kind = KINDS[name.toUpperCase()];
    const bytes = decodeBase64(content);
    const saltSize = bytes.length - (kind?.size ?? 0);
    if (kind === undefined || saltSize < SIZES.salt.min || saltSize > SIZES.salt.max) {
      return incomplete("LDAP", `{SSHA}<base64 of the digest and 1 to ${SIZES.salt.max} bytes of salt>`);
    }
    const { digest, size } = kind;
    return {
      ok: true,
      hash: { scheme: "LDAP", digest, salt: bytes.subarray(size), hash: bytes.subarray(0, size) },
    };
  },
  verify: ({ digest, salt, hash }, password) =>
    isEqual(digestOf(digest, Buffer.concat([Buffer.from(password), salt]), "buffer"), hash),
};

const FORM = /^\{(?<name>[A-Za-z0-9]+)\}(?<content>[A-Za-z0-9+/]+={0,2})$/;

/** With the digest sizes in bytes. */
const KINDS: Readonly<Record<string, { readonly digest: LdapHash["digest"]; readonly size: number }>> = {
  SMD5: { digest: "md5", size: 16 },
  SSHA: { digest: "sha1", size: 20 },
  SSHA256: { digest: "sha256", size: 32 },
  SSHA384: { digest: "sha384", size: 48 },
  SSHA512: { digest: "sha512", size: 64 },
};
