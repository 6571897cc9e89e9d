import { randomInt, timingSafeEqual } from "node:crypto";
import type { Keyring } from "../crypto/keyring.ts";

/** Stored digits of a code: an HMAC, and the id of its master key. */
export interface StoredDigits {
  readonly digits_hash: Buffer | null;
  readonly digits_key: string | null;
}

/** The code of an SMS: six uniformly distributed digits. */
export function createDigits(): string {
  return randomInt(1_000_000).toString().padStart(6, "0");
}

/**
 * Hashes the digits of a code.
 *
 * @param keyId The current master key by default.
 */
export function hashDigits(keyring: Keyring, codeId: string, digits: string, keyId?: string) {
  const { keyId: digits_key, mac: digits_hash } = keyring.digest(`${codeId} ${digits}`, keyId);
  return { digits_hash, digits_key };
}

/** Compares digits with a code's digits in constant time. */
export function isRightDigits(keyring: Keyring, codeId: string, digits: string, stored: StoredDigits): boolean {
  if (stored.digits_hash === null || stored.digits_key === null) return false;
  return timingSafeEqual(hashDigits(keyring, codeId, digits, stored.digits_key).digits_hash, stored.digits_hash);
}
