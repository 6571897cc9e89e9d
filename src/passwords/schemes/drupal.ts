import { rangeProblem } from "./bounds.ts";
import { decodeCryptNumber, encodeCryptBytes } from "./crypt-base64.ts";
import { stretch } from "./phpass.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";

interface DrupalHash {
  readonly scheme: "Drupal";
  /** The base-2 logarithm of the rounds. */
  readonly cost: number;
  /** The text itself, not decoded. */
  readonly salt: string;
  /** The first 43 characters of the SHA-512 digest in the alphabet of crypt(3). */
  readonly hash: string;
}

/** Drupal 7 and later: phpass with SHA-512, truncated to 55 characters. */
export const drupal: Scheme<DrupalHash> = {
  name: "Drupal",
  parse(value) {
    const { cost, salt, hash } = FORM.exec(value)?.groups ?? {};
    if (salt === undefined || hash === undefined) {
      return incomplete("Drupal", "$S$<1 character of cost><8 characters of salt><43 characters of hash>");
    }
    const parsed: DrupalHash = { scheme: "Drupal", cost: decodeCryptNumber(cost), salt, hash };
    return unlessProblem(rangeProblem("a Drupal cost (log2)", parsed.cost, COST), parsed);
  },
  verify({ cost, salt, hash }, password) {
    const digest = stretch({ digest: "sha512", rounds: 2 ** cost, salt, password: Buffer.from(password) });
    return isEqual(encodeCryptBytes(digest).slice(0, hash.length), hash);
  },
};

const FORM = /^\$S\$(?<cost>[./0-9A-Za-z])(?<salt>[./0-9A-Za-z]{8})(?<hash>[./0-9A-Za-z]{43})$/;

/** The minimum is Drupal's. Its default is 15 or 16; 22 takes 1.7 s, and 4 s with a password of 512 bytes. */
const COST = { min: 7, max: 22 };
