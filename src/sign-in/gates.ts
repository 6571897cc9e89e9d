import type { SignInUser } from "./find-sign-in-user.ts";

/** What a user has to do after proving who they are, before anything else. */
export type Gate = "verify-address" | "change-password";

/**
 * The next gate of a user, the same for every way to sign in; undefined if the user may go on. Deactivated and locked users
 * do not get here.
 */
export function nextGate(user: SignInUser): Gate | undefined {
  if (!user.emailVerified) return "verify-address";
  if (user.passwordChangeRequired && user.passwordHash !== null) return "change-password";
  return undefined;
}
