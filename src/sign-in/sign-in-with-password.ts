import type { Kysely } from "kysely";
import type { Caller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Tables } from "../database/tables.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { Hasher } from "../passwords/hasher.ts";
import type { Attempt, AttemptLimit } from "./attempt-limit.ts";
import { findSignInUserByName, type SignInUser } from "./find-sign-in-user.ts";
import type { KnownDevices } from "./known-devices.ts";
import { isRecorded, recordPasswordFailure, recordPasswordSuccess } from "./record-events.ts";

export interface SignInWithPasswordParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly passwords: Hasher;
  readonly attemptLimit: AttemptLimit;
  readonly knownDevices: KnownDevices;
}

export interface PasswordAttempt {
  /** The organization whose users may sign in. */
  readonly orgId: string;
  /** As it was entered. */
  readonly userName: string;
  /** As entered, in plaintext. */
  readonly password: string;
  /** See `networkOf`. */
  readonly network: string;
  /** The cookie of `KnownDevices`. */
  readonly deviceCookie: string | undefined;
}

export type PasswordOutcome =
  /** The user is active and the password is correct; see `nextGate` for the remaining steps. */
  | { readonly kind: "proved"; readonly user: SignInUser }
  | { readonly kind: "failed" }
  | { readonly kind: "too-often"; readonly retrySeconds: number };

/**
 * Verifies the password of a user of an organization.
 *
 * An unknown user, a user without a password, a deactivated or locked user, a wrong password and an empty one result in
 * the same error after the same work (docs/sign-in.md).
 *
 * @throws SignetError UNAVAILABLE if too many passwords wait to be hashed, ABORTED, or for a failure of the database.
 */
export async function signInWithPassword(
  parts: SignInWithPasswordParts,
  { orgId, userName, password, network, deviceCookie }: PasswordAttempt,
  caller: Caller,
): Promise<PasswordOutcome> {
  const { attemptLimit, knownDevices } = parts;
  const account = { orgId, nameKey: toNameKey(userName) };
  const attempt: Attempt = {
    ...account,
    network,
    device: knownDevices.find(deviceCookie, account, ["sign-in", "link"]),
  };
  const admission = await attemptLimit.admit(attempt, caller);
  if (!admission.ok) return { kind: "too-often", retrySeconds: admission.retrySeconds };
  const { failures } = admission;
  const user = await prove(parts, attempt, password, failures, caller);
  return user === undefined ? { kind: "failed" } : { kind: "proved", user };
}

/** The key for finding a user name. No user has an empty one. */
export function toNameKey(userName: string): string {
  return userName.includes("\0") || !userName.isWellFormed() ? "" : userNameKey(userName.trim());
}

/** How many times a user's password may change during a verification. */
const MAX_VERIFICATIONS = 2;

async function prove(
  parts: SignInWithPasswordParts,
  attempt: Attempt,
  password: string,
  failures: number,
  caller: Caller,
): Promise<SignInUser | undefined> {
  const { passwords, attemptLimit } = parts;
  const forgiven = attemptLimit.failuresOf(attempt);
  const options = { turn: { kind: "page", orgId: attempt.orgId }, ...caller } as const;
  let user: SignInUser | undefined;
  for (let count = 0; count < MAX_VERIFICATIONS; count++) {
    user = await findSignInUserByName(parts, attempt, caller);
    const { matches, needsRehash } = await passwords.verify(password, user?.passwordHash ?? null, options);
    if (!matches || user?.state !== "active") break;
    const newHash =
      needsRehash && !user.passwordChangeRequired
        ? // The old hash works too.
          await passwords.hash(password, options).catch(() => undefined)
        : undefined;
    caller.throwIfOver();
    const proved = await recordPasswordSuccess(parts, user, { failures: failures - 1, newHash, forgiven });
    if (proved !== undefined) return proved;
  }
  if (isRecorded(failures)) {
    await recordPasswordFailure(parts, user, { failures, knownDevice: attempt.device !== undefined });
  }
  return undefined;
}
