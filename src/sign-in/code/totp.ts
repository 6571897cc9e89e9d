import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { decodeBase32, encodeBase32 } from "./base32.ts";

/** The secret of time-based one-time codes (TOTP, RFC 6238). */
export interface TotpSecret {
  readonly key: Buffer;
  readonly algorithm: "sha1" | "sha256" | "sha512";
  readonly digits: number;
  readonly periodSeconds: number;
}

/** The defaults of authenticator apps for a key without parameters. */
export const TOTP_DEFAULTS = { algorithm: "sha1", digits: 6, periodSeconds: 30 } as const;

/** 160 bits, the length of SHA-1, as recommended by RFC 4226, section 4. */
const KEY_BYTES = 20;
/** Shorter keys can be derived from a few codes. RFC 4226 requires 16 bytes, but other systems use 10. */
const SHORTEST_KEY_BYTES = 10;
/** The number of steps by which clocks may differ (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1;

export function createTotpSecret(): string {
  return encodeBase32(randomBytes(KEY_BYTES));
}

/**
 * Parses a secret: base32, with or without spaces and dashes and in any case, or an `otpauth://totp/` URI.
 *
 * @returns Undefined for any other text, and for a URI with an unsupported algorithm, digits or period.
 */
export function parseTotpSecret(text: string): TotpSecret | undefined {
  const trimmed = text.trim();
  return /^otpauth:/i.test(trimmed) ? parseUri(trimmed) : toSecret(trimmed, TOTP_DEFAULTS);
}

function toSecret(base32: string, parameters: Omit<TotpSecret, "key">): TotpSecret | undefined {
  const key = decodeBase32(base32);
  return key === undefined || key.length < SHORTEST_KEY_BYTES ? undefined : { key, ...parameters };
}

const ALGORITHMS = { SHA1: "sha1", SHA256: "sha256", SHA512: "sha512" } as const;

/** Google Authenticator's format, which other apps also use. */
function parseUri(text: string): TotpSecret | undefined {
  const uri = URL.parse(text);
  if (uri?.protocol !== "otpauth:" || uri.host.toLowerCase() !== "totp") return undefined;
  const read = (name: string, initial: string) => uri.searchParams.get(name) ?? initial;
  const name = read("algorithm", "SHA1").toUpperCase().replace("-", "");
  const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name as keyof typeof ALGORITHMS] : undefined;
  const digits = readInteger(read("digits", "6"), 6, 8);
  const periodSeconds = readInteger(read("period", "30"), 10, 300);
  if (algorithm === undefined || digits === undefined || periodSeconds === undefined) return undefined;
  return toSecret(read("secret", ""), { algorithm, digits, periodSeconds });
}

function readInteger(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** The code of a step (RFC 4226, section 5.3). */
export function codeOfStep({ key, algorithm, digits }: TotpSecret, step: bigint): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(step);
  const mac = createHmac(algorithm, key).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, "0");
}

/** The step at a time. */
export function stepAt({ periodSeconds }: TotpSecret, now: Date): bigint {
  return BigInt(Math.floor(now.getTime() / 1_000 / periodSeconds));
}

/**
 * Finds the step that a code belongs to: the current one, or one next to it.
 *
 * @param after Only later steps count; null for all.
 * @returns Undefined for a wrong code. Takes the same time for every code of the correct length.
 */
export function findStep(secret: TotpSecret, code: string, now: Date, after: bigint | null): bigint | undefined {
  const given = Buffer.from(code);
  const present = stepAt(secret, now);
  let found: bigint | undefined;
  for (let drift = -DRIFT_STEPS; drift <= DRIFT_STEPS; drift++) {
    const step = present + BigInt(drift);
    const expected = Buffer.from(codeOfStep(secret, step));
    const isRight = given.length === expected.length && timingSafeEqual(given, expected);
    if (isRight && (after === null || step > after)) found ??= step;
  }
  return found;
}

/**
 * Finds the step of the code that a user has entered for a new secret, created by `createTotpSecret`. Undefined for a wrong
 * code.
 */
export function findFirstStep(base32: string, entered: string, now: Date): bigint | undefined {
  const secret = parseTotpSecret(base32);
  return secret && findStep(secret, entered.replaceAll(/[-\s]/g, ""), now, null);
}

/**
 * The URI with a new secret for an authenticator app.
 *
 * @param base32 Created by `createTotpSecret`.
 * @param names `issuer`: the name of the service. A colon would end it.
 */
export function totpUri(base32: string, names: { readonly issuer: string; readonly account: string }): string {
  const { algorithm, digits, periodSeconds } = TOTP_DEFAULTS;
  const issuer = names.issuer.replaceAll(/\s*:\s*/g, " ");
  const parameters = new URLSearchParams({
    secret: base32,
    issuer,
    algorithm: algorithm.toUpperCase(),
    digits: String(digits),
    period: String(periodSeconds),
  });
  // Some apps show a plus sign instead of a space.
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(names.account)}`;
  return `otpauth://totp/${label}?${parameters.toString().replaceAll("+", "%20")}`;
}
