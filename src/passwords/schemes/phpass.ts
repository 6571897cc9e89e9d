import { hash } from "node:crypto";
import { rangeProblem } from "./bounds.ts";
import { decodeCryptBytes, decodeCryptNumber } from "./crypt-base64.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";

interface PhpassHash {
  readonly scheme: "phpass";
  /** The base-2 logarithm of the rounds. */
  readonly cost: number;
  /** The text itself. */
  readonly salt: string;
  /** The MD5 digest. */
  readonly hash: Buffer;
}

/** Openwall's portable hashes. `$H$` is phpBB's name for the same scheme. */
export const phpass: Scheme<PhpassHash> = {
  name: "phpass",
  parse(value) {
    const { cost, salt, hash } = FORM.exec(value)?.groups ?? {};
    if (salt === undefined) {
      return incomplete("phpass", "$P$<1 character of cost><8 characters of salt><22 characters of hash>");
    }
    const parsed: PhpassHash = {
      scheme: "phpass",
      cost: decodeCryptNumber(cost),
      salt,
      hash: decodeCryptBytes(hash),
    };
    return unlessProblem(rangeProblem("a phpass cost (log2)", parsed.cost, COST), parsed);
  },
  verify: ({ cost, salt, hash }, password) =>
    isEqual(stretch({ digest: "md5", rounds: 2 ** cost, salt, password: Buffer.from(password) }), hash),
};

const FORM = /^\$[PH]\$(?<cost>[./0-9A-Za-z])(?<salt>[./0-9A-Za-z]{8})(?<hash>[./0-9A-Za-z]{21}[./01])$/;

/**
 * The minimum is phpass's. WordPress has 13, phpBB 11, passlib 19; 22 takes 1.3 s, and 4 s with a password of 512
 * bytes.
 */
const COST = { min: 7, max: 22 };

interface Stretching {
  readonly digest: "md5" | "sha512";
  readonly rounds: number;
  readonly salt: string;
  readonly password: Buffer;
}

/** Hashes salt and password, then each digest with the password again. */
export function stretch({ digest, rounds, salt, password }: Stretching): Buffer {
  // Uses strings, because a buffer per digest makes it three times slower, partly due to garbage collection.
  let last = hash(digest, Buffer.concat([Buffer.from(salt), password]), "binary");
  const input = Buffer.concat([Buffer.from(last, "binary"), password]);
  for (let round = 0; round < rounds; round++) {
    input.write(last, "binary");
    last = hash(digest, input, "binary");
  }
  return Buffer.from(last, "binary");
}
