import { createHmac } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { SIZES, sizeProblem } from "./bounds.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";

interface HmacHash {
  readonly scheme: "HMAC";
  readonly digest: "md5" | "sha1" | "sha224" | "sha256" | "sha384" | "sha512";
  readonly key: Buffer;
  /** In hexadecimal, in lower case. */
  readonly hash: string;
}

/**
 * The password under a key, in the form of Ory Kratos: base64 of the hexadecimal digits of the HMAC, and of the key. Kratos
 * also has MD4, which OpenSSL no longer provides.
 */
export const hmac: Scheme<HmacHash> = {
  name: "HMAC",
  parse(value) {
    const { digest, hash, key } = FORM.exec(value)?.groups ?? {};
    const digits = decodeBase64(hash).toString("latin1");
    const expected = DIGITS[digest as HmacHash["digest"]];
    if (expected === undefined || digits.length !== expected || !/^[0-9a-f]+$/.test(digits)) {
      return incomplete("HMAC", "$hmac-sha256$<base64 of the hexadecimal digits of the hash>$<base64 of the key>");
    }
    const parsed = {
      scheme: "HMAC",
      digest: digest as HmacHash["digest"],
      key: decodeBase64(key),
      hash: digits,
    } as const;
    return unlessProblem(sizeProblem("salt", parsed.key, SIZES.salt), parsed);
  },
  verify: ({ digest, key, hash }, password) => isEqual(createHmac(digest, key).update(password).digest("hex"), hash),
};

const FORM =
  /^\$hmac-(?<digest>md5|sha(?:1|224|256|384|512))\$(?<hash>[A-Za-z0-9+/]+={0,2})\$(?<key>[A-Za-z0-9+/]+={0,2})$/;

/** Hexadecimal digits of a hash. */
const DIGITS: Readonly<Record<HmacHash["digest"], number>> = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};
