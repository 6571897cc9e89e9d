import { createCipheriv } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { parseWholeNumber, SIZES, sizeProblem } from "./bounds.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";
import { deriveScryptKey, findCostProblem, type ScryptCost } from "./scrypt.ts";

interface FirebaseHash extends ScryptCost {
  readonly scheme: "Firebase";
  readonly salt: Buffer;
  /** Belongs to the project, like the signer key. */
  readonly separator: Buffer;
  readonly signerKey: Buffer;
  /** The signer key, encrypted with a key that scrypt derives from the password. */
  readonly hash: Buffer;
}

/**
 * Firebase Authentication's variant of scrypt, with the project's parameters in each hash: `$firescrypt$` is Ory
 * Kratos' encoding, `$fbscrypt$` is used by Supabase and Hanko. `ln` and `n` are Firebase's `mem_cost`, `r` its
 * `rounds`.
 */
export const firebase: Scheme<FirebaseHash> = {
  name: "Firebase",
  parse(value) {
    const parts = (KRATOS_FORM.exec(value) ?? SUPABASE_FORM.exec(value))?.groups;
    if (parts === undefined) {
      return incomplete(
        "Firebase",
        "$firescrypt$ln=<mem_cost>,r=<rounds>,p=1$<salt>$<hash>$<salt separator>$<signer key>",
        "$fbscrypt$v=1,n=<mem_cost>,r=<rounds>,p=1,ss=<salt separator>,sk=<signer key>$<salt>$<hash>",
      );
    }
    const parsed: FirebaseHash = {
      scheme: "Firebase",
      logN: parseWholeNumber(parts.n),
      r: parseWholeNumber(parts.r),
      p: parseWholeNumber(parts.p),
      salt: decodeBase64(parts.salt),
      separator: decodeBase64(parts.separator),
      signerKey: decodeBase64(parts.key),
      hash: decodeBase64(parts.hash),
    };
    return unlessProblem(findProblem(parsed), parsed);
  },
  verify(parsed, password) {
    const { salt, separator, signerKey, hash } = parsed;
    const key = deriveScryptKey(parsed, password, Buffer.concat([salt, separator]), KEY_SIZE);
    return isEqual(createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(signerKey), hash);
  },
};

const BASE64 = "[A-Za-z0-9+/]+={0,2}";

const KRATOS_FORM = new RegExp(
  String.raw`^\$firescrypt\$ln=(?<n>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>${BASE64})\$(?<hash>${BASE64})\$(?<separator>${BASE64})\$(?<key>${BASE64})$`,
);

const SUPABASE_FORM = new RegExp(
  String.raw`^\$fbscrypt\$v=1,n=(?<n>\d+),r=(?<r>\d+),p=(?<p>\d+),ss=(?<separator>${BASE64}),sk=(?<key>${BASE64})\$(?<salt>${BASE64})\$(?<hash>${BASE64})$`,
);

/** AES-256. */
const KEY_SIZE = 32;

function findProblem(parsed: FirebaseHash): string | undefined {
  const { salt, separator, signerKey, hash } = parsed;
  return (
    findCostProblem(parsed) ??
    sizeProblem("salt", salt, SIZES.salt) ??
    sizeProblem("salt separator", separator, SIZES.salt) ??
    sizeProblem("hash", hash, SIZES.hash) ??
    (signerKey.length === hash.length ? undefined : "must have a signer key with as many bytes as the hash, in base64")
  );
}
