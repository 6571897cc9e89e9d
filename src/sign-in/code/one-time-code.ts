import type { Keyring } from "../../crypto/keyring.ts";
import { USER_SEALED } from "../../users/user-sealed.ts";
import { parseTotpSecret, type TotpSecret } from "./totp.ts";

/** A user's stored one-time code secret, encrypted. Null if there is none. */
export interface StoredOneTimeCode {
  readonly id: string;
  readonly otpCode: Buffer | null;
  readonly otpCodeKey: string | null;
}

/**
 * The secret of a user's one-time codes; undefined if there is none, or if an import has stored a value that is not a
 * secret (docs/sign-in.md). Parsed at each sign-in, because earlier imports stored values unparsed and encrypted.
 *
 * @throws Error if the key is not in the ring.
 */
export function openOneTimeCode(keyring: Keyring, user: StoredOneTimeCode): TotpSecret | undefined {
  const text = openOtpCode(keyring, user);
  return text === undefined ? undefined : parseTotpSecret(text);
}

/**
 * The secret as text, as it was stored; undefined if there is none.
 *
 * @throws Error if the key is not in the ring.
 */
export function openOtpCode(keyring: Keyring, user: StoredOneTimeCode): string | undefined {
  const { id: rowId, otpCode: ciphertext, otpCodeKey: keyId } = user;
  if (ciphertext === null || keyId === null) return undefined;
  return keyring.open({ ...USER_SEALED, rowId }, { keyId, ciphertext });
}
