import { randomBytes } from "node:crypto";
import { hashSecret } from "../crypto/secrets.ts";
import { decodeBase32, encodeBase32 } from "./base32.ts";

/** The number of recovery codes. */
export const RECOVERY_CODES = 10;

/**
 * 24 characters of base32. NIST SP 800-63B-4, section 3.1.2.1, allows a plain hash from 112 bits, because such codes
 * cannot be enumerated.
 */
const CODE_BYTES = 15;
/** Of a code as it is entered: with dashes and spaces. */
const MAX_ENTERED_LENGTH = 100;

/** Creates recovery codes in the form in which they are shown, such as `ABCD-EFGH-…`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const digits = encodeBase32(randomBytes(CODE_BYTES));
    return digits.match(/.{4}/g)?.join("-") ?? digits;
  });
}

/** The hash of a recovery code; undefined for any other text. Case, spaces and dashes are ignored. */
export function hashRecoveryCode(text: string): Buffer | undefined {
  if (text.length > MAX_ENTERED_LENGTH) return undefined;
  const bytes = decodeBase32(text.replaceAll(/[-\s]/g, ""));
  return bytes?.length === CODE_BYTES ? hashSecret(`recovery code ${encodeBase32(bytes)}`) : undefined;
}
