/** The minimum length of a password that a user chooses, in Unicode code points (NIST SP 800-63B revision 3, section 5.1.1.2). */
export const SHORTEST_PASSWORD = 8;

/** The maximum length of any password, in bytes of UTF-8: bcrypt ignores the rest. */
const LONGEST_PASSWORD = 72;

/**
 * Describes why bcrypt cannot hash a clear password faithfully, as a phrase that follows the field's name. It never
 * contains the password.
 *
 * NUL ends a password in C implementations of bcrypt. Lone surrogates have no UTF-8 encoding, so that all of them would
 * have the same hash.
 *
 * @returns undefined for an acceptable password.
 */
export function describePasswordProblem(password: string): string | undefined {
  if (password === "") return "must not be empty";
  if (password.includes("\0")) return "must not contain the character U+0000";
  if (!password.isWellFormed()) return "must be well-formed Unicode";
  const bytes = Buffer.byteLength(password, "utf8");
  if (bytes > LONGEST_PASSWORD) return `must be at most ${LONGEST_PASSWORD} bytes of UTF-8, is ${bytes}`;
  return undefined;
}

/**
 * Checks a password that a user chooses: what bcrypt accepts, with a minimum length and no composition rules
 * (NIST SP 800-63B).
 *
 * @returns undefined for an acceptable password.
 */
export function findPasswordProblem(password: string): "too-short" | "too-long" | "not-text" | undefined {
  // Decoding a form replaces invalid UTF-8 with U+FFFD, which would make different passwords equal.
  if (!password.isWellFormed() || /[\0\ufffd]/.test(password)) return "not-text";
  if ([...password].length < SHORTEST_PASSWORD) return "too-short";
  // The length in bytes is the only remaining rule.
  return describePasswordProblem(password) === undefined ? undefined : "too-long";
}
