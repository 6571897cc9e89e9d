import { incomplete, isEqual, type Scheme } from "./scheme.ts";
import { deriveScryptKey, type ScryptCost } from "./scrypt.ts";

interface BetterAuthHash extends ScryptCost {
  readonly scheme: "Better Auth";
  /** The hexadecimal digits themselves. */
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Better Auth's scrypt: the text that it stores, after `$better-auth$`. The salt is the text of its hexadecimal digits, and
 * the password is normalized to NFKC, so the hash cannot be written in the PHC string format.
 */
export const betterAuth: Scheme<BetterAuthHash> = {
  name: "Better Auth",
  parse(value) {
    const { salt, hash } = FORM.exec(value)?.groups ?? {};
    if (salt === undefined || hash === undefined) {
      return incomplete("Better Auth", "$better-auth$<32 hexadecimal digits of salt>:<128 hexadecimal digits of hash>");
    }
    return {
      ok: true,
      hash: { scheme: "Better Auth", ...COST, salt: Buffer.from(salt), hash: Buffer.from(hash, "hex") },
    };
  },
  verify: (parsed, password) =>
    isEqual(deriveScryptKey(parsed, password.normalize("NFKC"), parsed.salt, parsed.hash.length), parsed.hash),
};

const FORM = /^\$better-auth\$(?<salt>[0-9a-f]{32}):(?<hash>[0-9a-f]{128})$/;

/** It has always had these: N = 16,384. */
const COST: ScryptCost = { logN: 14, r: 16, p: 1 };
