import { hashSync } from "bcryptjs";
import { rangeProblem } from "./bounds.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";

export interface BcryptHash {
  readonly scheme: "bcrypt";
  readonly version: "2a" | "2b" | "2y";
  /** The base-2 logarithm of the rounds. */
  readonly cost: number;
  /** 16 bytes, 22 characters in bcrypt's own base64. */
  readonly salt: string;
  /** 23 bytes, 31 characters in bcrypt's own base64. */
  readonly hash: string;
}

/**
 * OpenBSD's format, for the first 72 bytes of a password. `$2x$`, the output of a faulty implementation of 2011, is not
 * supported.
 */
export const bcrypt: Scheme<BcryptHash> = {
  name: "bcrypt",
  parse(value) {
    const { version, cost, salt = "", hash = "" } = FORM.exec(value)?.groups ?? {};
    if (version !== "2a" && version !== "2b" && version !== "2y") {
      return incomplete("bcrypt", "$2b$<cost>$<22 characters of salt><31 characters of hash>");
    }
    const parsed = { scheme: "bcrypt", version, cost: Number(cost), salt, hash } as const;
    return unlessProblem(rangeProblem("a bcrypt cost", parsed.cost, COST), parsed);
  },
  // For Unicode passwords, all versions produce the same hash.
  verify: ({ version, cost, salt, hash }, password) =>
    isEqual(hashSync(password, `$${version}$${String(cost).padStart(2, "0")}$${salt}`).slice(-hash.length), hash),
};

// The cost has two digits. The unused bits of the last characters are zero in every hash written by bcrypt.
const FORM =
  /^\$(?<version>2[aby])\$(?<cost>\d\d)\$(?<salt>[./A-Za-z0-9]{21}[.Oeu])(?<hash>[./A-Za-z0-9]{30}[.CGKOSWaeimquy26])$/;

/** The minimum is bcrypt's. Exports have 10 (older PHP), 12 (Django, Devise, Laravel) to 15; 16 takes 5.4 s. */
const COST = { min: 4, max: 16 };
