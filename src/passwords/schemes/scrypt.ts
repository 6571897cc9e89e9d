import { scryptSync } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { formatNumber, parseWholeNumber, rangeProblem, SIZES, sizeProblem } from "./bounds.ts";
import { decodeCryptBytes, decodeCryptNumber } from "./crypt-base64.ts";
import { incomplete, isEqual, type ParseResult, type Scheme, unlessProblem } from "./scheme.ts";

interface ScryptHash extends ScryptCost {
  readonly scheme: "scrypt";
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** The PHC string format, as written by passlib and others, and `$7$` of crypt(5). */
export const scrypt: Scheme<ScryptHash> = {
  name: "scrypt",
  parse: (value) => (value.startsWith("$7$") ? parseCrypt(value) : parsePhc(value)),
  verify: (parsed, password) =>
    isEqual(deriveScryptKey(parsed, password, parsed.salt, parsed.hash.length), parsed.hash),
};

export interface ScryptCost {
  /** The base-2 logarithm of N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** @param cost Parameters for which `findCostProblem` finds no problem. */
export function deriveScryptKey({ logN, r, p }: ScryptCost, password: string, salt: Buffer, bytes: number): Buffer {
  const N = 2 ** logN;
  // The memory that OpenSSL allocates; its default limit of 32 MiB is too low for most exports.
  return scryptSync(password, salt, bytes, { N, r, p, maxmem: 128 * r * (N + p + 4) });
}

function parsePhc(value: string): ParseResult<ScryptHash> {
  const parts = PHC_FORM.exec(value)?.groups;
  if (parts === undefined) return incomplete("scrypt", "$scrypt$ln=<log2 of N>,r=<r>,p=<p>$<salt>$<hash>");
  const parsed: ScryptHash = {
    scheme: "scrypt",
    logN: parseLogN(parts.ln),
    r: parseWholeNumber(parts.r),
    p: parseWholeNumber(parts.p),
    salt: decodeBase64(parts.salt),
    hash: decodeBase64(parts.hash),
  };
  const problem =
    findCostProblem(parsed) ??
    sizeProblem("salt", parsed.salt, SIZES.salt) ??
    sizeProblem("hash", parsed.hash, SIZES.hash);
  return unlessProblem(problem, parsed);
}

const PHC_FORM =
  /^\$scrypt\$ln=(?<ln>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[A-Za-z0-9+/]+={0,2})\$(?<hash>[A-Za-z0-9+/]+={0,2})$/;

/** Ory Kratos writes N itself, 16,384 by default. Every allowed logarithm is smaller than the smallest such N. */
function parseLogN(digits: string | undefined): number {
  const number = parseWholeNumber(digits);
  return number >= SMALLEST_N && Number.isInteger(Math.log2(number)) ? Math.log2(number) : number;
}

const SMALLEST_N = 2 ** 10;

function parseCrypt(value: string): ParseResult<ScryptHash> {
  const parts = CRYPT_FORM.exec(value)?.groups;
  if (parts === undefined) {
    return incomplete(
      "scrypt",
      "$7$<11 characters of parameters><up to 86 characters of salt>$<43 characters of hash>",
    );
  }
  const parsed: ScryptHash = {
    scheme: "scrypt",
    logN: decodeCryptNumber(parts.ln),
    r: decodeCryptNumber(parts.r),
    p: decodeCryptNumber(parts.p),
    // The salt is the text itself.
    salt: Buffer.from(parts.salt ?? ""),
    hash: decodeCryptBytes(parts.hash),
  };
  return unlessProblem(findCostProblem(parsed), parsed);
}

/** One character for log2 of N, five each for r and p; 32 bytes of hash. */
const CRYPT_FORM =
  /^\$7\$(?<ln>[./0-9A-Za-z])(?<r>[./0-9A-Za-z]{5})(?<p>[./0-9A-Za-z]{5})(?<salt>[./0-9A-Za-z]{1,86})\$(?<hash>[./0-9A-Za-z]{42}[./0-9A-D])$/;

/** The minimum is scrypt's (RFC 7914, section 2). Above 22, any r and p would violate one of the other rules. */
const LOG_N = { min: 1, max: 22 };

/** For r and p each; `MAX_WORK` limits their product with N. */
const FACTOR = { min: 1, max: 2 ** 22 };

/** 128·N·r·p bytes. libsodium's "sensitive" (N=2^20, r=8, p=1) is 1 GiB and takes 6.6 s. */
const MAX_WORK = 2 ** 30;

export function findCostProblem({ logN, r, p }: ScryptCost): string | undefined {
  return (
    rangeProblem("a scrypt cost (log2 of N)", logN, LOG_N) ??
    rangeProblem("a scrypt block size (r)", r, FACTOR) ??
    rangeProblem("a scrypt parallelization (p)", p, FACTOR) ??
    // RFC 7914, section 2: N < 2^(128·r/8). Implementations reject other values.
    (logN >= 16 * r ? "must have a scrypt cost (N) below 2 to the power of 16·r" : undefined) ??
    (128 * 2 ** logN * r * p > MAX_WORK
      ? `must have scrypt parameters with 128·N·r·p of at most ${formatNumber(MAX_WORK)}`
      : undefined)
  );
}
