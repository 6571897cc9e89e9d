import { createHmac } from "node:crypto";

/**
 * The hash of a recovery code, which may be of another system and have as few as 8 letters and digits. Such codes can be
 * enumerated, so the key is the secret of the user's one-time codes, which is stored encrypted and replaced together with
 * the recovery codes.
 *
 * @param otpCode The secret as it is stored.
 * @returns Undefined for a text that is no such code. Case, spaces and dashes are ignored.
 */
export function macRecoveryCode(otpCode: string, text: string): Buffer | undefined {
  const code = text.replaceAll(/[-\s]/g, "").toUpperCase();
  if (!RECOVERY_CODE.test(code)) return undefined;
  return createHmac("sha256", otpCode).update(`imported recovery code ${code}`).digest();
}

/** The minimum is Ory Kratos'; with 10 characters, Better Auth's are among the longest. */
const RECOVERY_CODE = /^[A-Z0-9]{8,64}$/;
