import type { SignInUser } from "./find-sign-in-user.ts";

/** A step that a user must complete after authenticating. */
export type Gate = "verify-address" | "one-time-code" | "change-password";

/** How a user has authenticated. */
export interface GateProof {
  /** The methods verified by this service (RFC 8176), without methods of another provider. */
  readonly methods: readonly string[];
  /** Whether the user has one-time codes: see `openOneTimeCode`. */
  readonly hasOneTimeCode: boolean;
}

/**
 * The user's next gate, the same for every sign-in method; undefined if none is left. Deactivated and locked users do
 * not get this far.
 */
export function nextGate(user: SignInUser, { methods, hasOneTimeCode }: GateProof): Gate | undefined {
  if (!user.emailVerified) return "verify-address";
  if (hasOneTimeCode && !methods.some((method) => SECOND_FACTORS.includes(method))) return "one-time-code";
  if (user.passwordChangeRequired && user.passwordHash !== null) return "change-password";
  return undefined;
}

/** One-time codes, and passkeys, which always include user verification. */
const SECOND_FACTORS: readonly string[] = ["otp", "hwk", "swk"];

/** The methods of a user who has also entered a one-time code or a recovery code. */
export function withOneTimeCode(methods: readonly string[]): readonly string[] {
  return [...new Set([...methods, "otp", "mfa"])];
}
