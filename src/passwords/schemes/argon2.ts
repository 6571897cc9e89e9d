import { hashRawSync } from "@node-rs/argon2";
import { decodeBase64 } from "./base64.ts";
import { formatNumber, parseWholeNumber, rangeProblem, sizeProblem } from "./bounds.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";

/** The inputs of argon2 other than the password and the salt. */
interface Argon2Costs {
  readonly variant: "argon2id" | "argon2i" | "argon2d";
  readonly version: 16 | 19;
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

interface Argon2Hash extends Argon2Costs {
  readonly scheme: "argon2";
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Computes argon2 (RFC 9106) or its version 16. Blocks its thread; several lanes also use other threads. A new hash
 * takes 8 to 10 ms of CPU time with this package, 19 to 25 ms with node:crypto, which lacks version 16, 20 to 23 ms
 * with the package argon2, and 45 ms with WebAssembly.
 *
 * @param size The size of the result in bytes.
 */
export function computeArgon2(costs: Argon2Costs, password: string, salt: Buffer, size: number): Buffer {
  return hashRawSync(password, {
    algorithm: ALGORITHMS[costs.variant],
    version: costs.version === 16 ? 0 : 1,
    memoryCost: costs.memory,
    timeCost: costs.passes,
    parallelism: costs.lanes,
    outputLen: size,
    salt,
  });
}

/** @node-rs/argon2's numbers. */
const ALGORITHMS = { argon2d: 0, argon2i: 1, argon2id: 2 } as const;

/** The PHC string format, with parameters in the order that the reference implementation writes and requires. */
export const argon2: Scheme<Argon2Hash> = {
  name: "argon2",
  parse(value) {
    const { variant, v, m, t, p, salt, hash } = FORM.exec(value)?.groups ?? {};
    if (variant !== "argon2id" && variant !== "argon2i" && variant !== "argon2d") {
      return incomplete("argon2", "$argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>");
    }
    const parsed: Argon2Hash = {
      scheme: "argon2",
      variant,
      // Version 16 initially did not write its version.
      version: v === "19" ? 19 : 16,
      memory: parseWholeNumber(m),
      passes: parseWholeNumber(t),
      lanes: parseWholeNumber(p),
      salt: decodeBase64(salt),
      hash: decodeBase64(hash),
    };
    return unlessProblem(findProblem(parsed), parsed);
  },
  verify: (parsed, password) => isEqual(computeArgon2(parsed, password, parsed.salt, parsed.hash.length), parsed.hash),
};

const FORM =
  /^\$(?<variant>argon2(?:id|i|d))\$(?:v=(?<v>16|19)\$)?m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[A-Za-z0-9+/]+={0,2})\$(?<hash>[A-Za-z0-9+/]+={0,2})$/;

/** The minimum is argon2's. Imported hashes have at most 256 MiB; see `MAX_IMPORTED_MEMORY`. */
const MEMORY = { min: 8, max: 2 ** 20 };

/** Exports have 1 to 10; `MAX_WORK` limits the passes over large memory. */
const PASSES = { min: 1, max: 1_000 };

/** KiB times passes. libsodium's "sensitive", four passes over 1 GiB, takes 4.2 s. */
const MAX_WORK = 2 ** 22;

/** A verifier may start a thread for each lane. Libraries default to 1 to 8. */
const LANES = { min: 1, max: 64 };

/** Bytes. The minimum is the reference implementation's; the PHC string format allows at most 48. */
const SALT_SIZE = { min: 8, max: 64 };

/** Bytes, as the PHC string format allows. */
const HASH_SIZE = { min: 12, max: 64 };

function findProblem({ memory, passes, lanes, salt, hash }: Argon2Hash): string | undefined {
  return (
    rangeProblem("argon2 memory (m, in KiB)", memory, MEMORY) ??
    rangeProblem("argon2 passes (t)", passes, PASSES) ??
    rangeProblem("argon2 lanes (p)", lanes, LANES) ??
    // RFC 9106, section 3.1.
    (memory < 8 * lanes ? "must have argon2 memory (m) of at least 8 KiB for each lane (p)" : undefined) ??
    (memory * passes > MAX_WORK
      ? `must have argon2 memory (m) times passes (t) of at most ${formatNumber(MAX_WORK)}`
      : undefined) ??
    sizeProblem("salt", salt, SALT_SIZE) ??
    sizeProblem("hash", hash, HASH_SIZE)
  );
}
