import { createHmac, hash as digestOf } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { parseWholeNumber, rangeProblem, SIZES, sizeProblem } from "./bounds.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";

interface FusionAuthHash {
  readonly scheme: "FusionAuth";
  readonly encryption: keyof typeof ENCRYPTIONS;
  /** The number of digests. Without effect on an HMAC. */
  readonly factor: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * FusionAuth's schemes that are not PBKDF2 or bcrypt, as its reference "Password-Hashing Algorithms" defines them, with the
 * fields of its users: `$<encryptionScheme>$<factor>$<salt>$<password>`.
 */
export const fusionAuth: Scheme<FusionAuthHash> = {
  name: "FusionAuth",
  parse(value) {
    const { encryption, factor, salt, hash } = FORM.exec(value)?.groups ?? {};
    if (encryption === undefined) {
      return incomplete("FusionAuth", "$salted-sha256$<factor>$<base64 of the salt>$<base64 of the hash>");
    }
    const parsed: FusionAuthHash = {
      scheme: "FusionAuth",
      encryption: encryption as FusionAuthHash["encryption"],
      factor: parseWholeNumber(factor),
      salt: decodeBase64(salt),
      hash: decodeBase64(hash),
    };
    const { bytes } = ENCRYPTIONS[parsed.encryption];
    const problem =
      rangeProblem("a FusionAuth factor", parsed.factor, FACTOR) ??
      sizeProblem("salt", parsed.salt, SIZES.salt) ??
      sizeProblem("hash", parsed.hash, { min: bytes, max: bytes });
    return unlessProblem(problem, parsed);
  },
  verify: (parsed, password) =>
    isEqual(ENCRYPTIONS[parsed.encryption].compute(parsed, Buffer.from(password)), parsed.hash),
};

const FORM =
  /^\$(?<encryption>salted-(?:md5|sha256|hmac-sha256))\$(?<factor>\d+)\$(?<salt>[A-Za-z0-9+/]+={0,2})\$(?<hash>[A-Za-z0-9+/]+={0,2})$/;

/** FusionAuth recommends 20,000. 3,000,000 take 4 s. */
const FACTOR = { min: 1, max: 3_000_000 };

type Compute = (hash: FusionAuthHash, password: Buffer) => Buffer;

/** With the sizes of the hashes. */
const ENCRYPTIONS = {
  "salted-md5": { bytes: 16, compute: repeated("md5") },
  "salted-sha256": { bytes: 32, compute: repeated("sha256") },
  "salted-hmac-sha256": {
    bytes: 32,
    compute: ({ salt }: FusionAuthHash, password: Buffer) => createHmac("sha256", salt).update(password).digest(),
  },
} as const satisfies Record<string, { bytes: number; compute: Compute }>;

function repeated(digest: "md5" | "sha256"): Compute {
  return ({ factor, salt }, password) => {
    let result: Buffer = Buffer.concat([password, salt]);
    for (let count = 0; count < factor; count++) result = digestOf(digest, result, "buffer");
    return result;
  };
}
