import { hash as digestOf } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { SIZES, sizeProblem } from "./bounds.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";

interface SaltedDigestHash {
  readonly scheme: "salted digest";
  readonly digest: keyof typeof DIGEST_BYTES;
  /** The text that is hashed, with placeholders for the salt and the password. */
  readonly parts: readonly (Buffer | "salt" | "password")[];
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * One digest of the password and a salt, in the form of Ory Kratos, whose `pf` says in which order, and with which other
 * text. Each is in base64. Unsalted digests, for which Kratos has a form too, are rejected: they protect a password
 * hardly better than plain text.
 */
export const saltedDigest: Scheme<SaltedDigestHash> = {
  name: "salted digest",
  parse(value) {
    const { digest, pf, salt, hash } = FORM.exec(value)?.groups ?? {};
    if (UNSALTED_FORM.test(value)) return { ok: false, problem: UNSALTED };
    if (!isDigest(digest)) {
      return incomplete("salted digest", "$sha256$pf=<base64 of {SALT}{PASSWORD}>$<salt>$<hash>");
    }
    const parts = parseParts(decodeBase64(pf));
    const parsed: SaltedDigestHash = {
      ...{ scheme: "salted digest", digest, parts },
      ...{ salt: decodeBase64(salt), hash: decodeBase64(hash) },
    };
    return unlessProblem(findProblem(parsed), parsed);
  },
  verify({ digest, parts, salt, hash }, password) {
    const values = { salt, password: Buffer.from(password) };
    const text = Buffer.concat(parts.map((part) => (typeof part === "string" ? values[part] : part)));
    return isEqual(digestOf(digest, text, "buffer"), hash);
  },
};

const FORM =
  /^\$(?<digest>md5|sha1|sha256|sha512)\$pf=(?<pf>[A-Za-z0-9+/]+={0,2})\$(?<salt>[A-Za-z0-9+/]+={0,2})\$(?<hash>[A-Za-z0-9+/]+={0,2})$/;

const UNSALTED_FORM = /^\$(?:md5|sha1|sha256|sha512)\$[A-Za-z0-9+/]+={0,2}$/;

const UNSALTED =
  "must be salted: an unsalted digest protects a password hardly better than plain text, so users choose new passwords";

/** Also the sizes of the hashes. */
const DIGEST_BYTES = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };

function isDigest(name: string | undefined): name is keyof typeof DIGEST_BYTES {
  return name !== undefined && Object.hasOwn(DIGEST_BYTES, name);
}

/** Latin-1 keeps the bytes of the text between the placeholders. */
function parseParts(format: Buffer): SaltedDigestHash["parts"] {
  return format
    .toString("latin1")
    .split(/(\{SALT\}|\{PASSWORD\})/)
    .map((part) => {
      if (part === "{SALT}") return "salt";
      return part === "{PASSWORD}" ? "password" : Buffer.from(part, "latin1");
    });
}

function findProblem({ digest, parts, salt, hash }: SaltedDigestHash): string | undefined {
  const size = DIGEST_BYTES[digest];
  return (
    (parts.includes("password") && parts.includes("salt") ? undefined : "must have {SALT} and {PASSWORD} in pf") ??
    sizeProblem("salt", salt, SIZES.salt) ??
    sizeProblem("hash", hash, { min: size, max: size })
  );
}
