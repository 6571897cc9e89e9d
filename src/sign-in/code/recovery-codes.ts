import { randomBytes } from "node:crypto";
import { hashSecret } from "../../crypto/secrets.ts";
import { decodeBase32, encodeBase32 } from "./base32.ts";

export const RECOVERY_CODES = 10;

/**
 * 50 bits in base32. The limits of attempts allow about 2,200 in a year, so somebody who knows the password guesses one of ten
 * codes with a probability of 2 in 10^11. In a copy of the database, they cannot be enumerated (`macRecoveryCode`).
 */
const CODE_LENGTH = 10;
/** Of the codes of earlier versions, which have 24 characters. */
const EARLIER_BYTES = 15;
/** Of a code as it is entered: with dashes and spaces. */
const MAX_ENTERED_LENGTH = 100;

/** Creates recovery codes in the form in which they are shown, such as `ABCDE-FGHIJ`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const digits = encodeBase32(randomBytes(CODE_LENGTH)).slice(0, CODE_LENGTH);
    return `${digits.slice(0, CODE_LENGTH / 2)}-${digits.slice(CODE_LENGTH / 2)}`;
  });
}

/** The hash of a recovery code of an earlier version; undefined for any other text. Case, spaces and dashes are ignored. */
export function hashRecoveryCode(text: string): Buffer | undefined {
  if (text.length > MAX_ENTERED_LENGTH) return undefined;
  const bytes = decodeBase32(text.replaceAll(/[-\s]/g, ""));
  return bytes?.length === EARLIER_BYTES ? hashSecret(`recovery code ${encodeBase32(bytes)}`) : undefined;
}
