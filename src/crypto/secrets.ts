import { hash, randomBytes, randomUUIDv7 } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The claims of a JSON Web Token include at most 50 roles of 100 characters. */
const ACCESS_TOKEN = /^(?:[\w-]{43}|[\w-]{1,500}\.[\w-]{1,10000}\.[\w-]{1,1000})$/;
const TOKEN = /^signet_pat_[0-9A-Za-z]{43}$/;

/** A new id: UUID version 7 (RFC 9562), so that rows created in sequence are adjacent in an index. */
export function createId(): string {
  return randomUUIDv7();
}

/** The Nil UUID (RFC 9562, section 5.9): no object has it, and every other id is greater. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";

/** Whether a text has the form of an id. Callers treat any other text as an unknown id: not found, not invalid. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** The first and the last id with a beginning; undefined unless it is one with 8 hexadecimal digits or more. */
export function toIdRange(beginning: string): { readonly first: string; readonly last: string } | undefined {
  const text = beginning.toLowerCase();
  const [first, last] = ["0", "f"].map((digit) => text + NIL_ID.slice(text.length).replaceAll("0", digit));
  if (text.length < 8 || first === undefined || last === undefined || !isId(first)) return undefined;
  return { first, last };
}

/** A token: its prefix, by default that of personal access tokens, and 32 random bytes as 43 base62 characters. */
export function createTokenSecret(prefix = "signet_pat_"): string {
  let rest = BigInt(`0x${randomBytes(32).toString("hex")}`);
  let digits = "";
  while (digits.length < 43) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return `${prefix}${digits}`;
}

/** Whether a text has the form of a personal access token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether a text has the form of an application's access token: 43 random characters, or a JSON Web Token. */
export function isAccessToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}

/** The secret of a link: 128 random bits, URL-safe. */
export function createLinkSecret(): string {
  return randomBytes(16).toString("base64url");
}

/** An application's client secret: 256 random bits, in characters that need no encoding (RFC 6749, section 2.3.1). */
export function createClientSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256. Secrets must have at least 128 random bits, which cannot be enumerated. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** The same in hexadecimal, which takes 0.3 µs of CPU instead of the 1 µs of a buffer. */
export function hashSecretToHex(secret: string): string {
  return hash("sha256", secret, "hex");
}
