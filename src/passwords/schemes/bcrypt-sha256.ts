import { createHmac, hash as digestOf } from "node:crypto";
import { type BcryptHash, bcrypt } from "./bcrypt.ts";
import { incomplete, type Scheme } from "./scheme.ts";

interface BcryptSha256Hash {
  readonly scheme: "bcrypt-sha256";
  readonly form: "Django" | "passlib 1" | "passlib 2";
  readonly bcrypt: BcryptHash;
}

/**
 * bcrypt of a SHA-256 digest of the password, so all bytes of the password count: Django's `bcrypt_sha256$` with the digest
 * in hexadecimal, and passlib's `$bcrypt-sha256$` with base64 of the digest (version 1) or of an HMAC with the salt (2).
 */
export const bcryptSha256: Scheme<BcryptSha256Hash> = {
  name: "bcrypt-sha256",
  parse(value) {
    const { django, v, t, cost, salt, hash } = FORM.exec(value)?.groups ?? {};
    const text = django ?? `$${t}$${cost?.padStart(2, "0")}$${salt}${hash}`;
    if (django === undefined && t === undefined) {
      return incomplete("bcrypt-sha256", "bcrypt_sha256$$2b$…", "$bcrypt-sha256$v=2,t=2b,r=<cost>$<salt>$<hash>");
    }
    const parsed = bcrypt.parse(text);
    if (!parsed.ok) return parsed;
    const form = django === undefined ? (v === undefined ? "passlib 1" : "passlib 2") : "Django";
    return { ok: true, hash: { scheme: "bcrypt-sha256", form, bcrypt: parsed.hash } };
  },
  verify: ({ form, bcrypt: hash }, password) => bcrypt.verify(hash, DIGESTS[form](password, hash.salt)),
};

const FORM =
  /^(?:bcrypt_sha256\$(?<django>\$2[aby]\$.+)|\$bcrypt-sha256\$(?:(?<v>v=2),t=)?(?<t>2[aby]),(?:r=)?(?<cost>\d\d?)\$(?<salt>[^$]{22})\$(?<hash>[^$]{31}))$/;

const DIGESTS = {
  Django: (password: string) => digestOf("sha256", password, "hex"),
  "passlib 1": (password: string) => digestOf("sha256", password, "base64"),
  "passlib 2": (password: string, salt: string) => createHmac("sha256", salt).update(password).digest("base64"),
};
