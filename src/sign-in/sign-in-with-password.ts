import type { Caller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { SignetError } from "../errors.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { Hasher, HashOptions } from "../passwords/hasher.ts";
import type { Verification } from "../passwords/verifier.ts";
import type { Attempt, AttemptLimit } from "./attempt-limit.ts";
import { findIdentifiedUser } from "./find-identified-user.ts";
import type { SignInUser } from "./find-sign-in-user.ts";
import type { Identifier } from "./identifier.ts";
import type { KnownDevices } from "./known-devices.ts";
import { isRecorded, recordPasswordFailure, recordPasswordSuccess } from "./record-events.ts";
import { type SignInOrigin, toSignInOrigin } from "./sign-in-origin.ts";

export interface SignInWithPasswordParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly passwords: Hasher;
  readonly attemptLimit: AttemptLimit;
  readonly knownDevices: KnownDevices;
}

export interface PasswordAttempt {
  /** The organization whose users may sign in. */
  readonly orgId: string;
  readonly identifier: Identifier;
  /** As entered, in plaintext. */
  readonly password: string;
  /** The address that the attempt comes from. */
  readonly address: string;
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
  attempt: PasswordAttempt,
  caller: Caller,
): Promise<PasswordOutcome> {
  const admitted = await admitPassword(parts, attempt, caller);
  if (admitted.kind === "too-often") return admitted;
  const user = await findProved(parts, admitted, caller);
  if (user !== undefined) return { kind: "proved", user };
  await recordFailure(parts, admitted);
  return { kind: "failed" };
}

/** An attempt that is counted as a failure until it succeeds. */
export interface AdmittedPassword {
  readonly kind: "admitted";
  /** The user as of before the attempt was counted; undefined if there is none. */
  readonly found: SignInUser | undefined;
  readonly identifier: Identifier;
  readonly attempt: Attempt;
  readonly password: string;
  /** The failed attempts so far, including this one. */
  readonly failures: number;
  readonly origin: SignInOrigin;
}

/** Finds the user, and counts the attempt. */
export async function admitPassword(
  parts: SignInWithPasswordParts,
  { orgId, identifier, password, address, deviceCookie }: PasswordAttempt,
  caller: Caller,
): Promise<AdmittedPassword | Extract<PasswordOutcome, { kind: "too-often" }>> {
  const { attemptLimit, knownDevices } = parts;
  const found = await findIdentifiedUser(parts, { orgId, ...identifier }, caller);
  const account = { orgId, nameKey: found === undefined ? identifier.nameKey : userNameKey(found.userName) };
  const attempt: Attempt = {
    ...account,
    alias: aliasOf(identifier, found && account.nameKey),
    address,
    device: knownDevices.find(deviceCookie, account, ["sign-in", "link"]),
  };
  const admission = await attemptLimit.admit(attempt, caller);
  if (!admission.ok) return { kind: "too-often", retrySeconds: admission.retrySeconds };
  const origin = toSignInOrigin(address, caller.userAgent);
  return { kind: "admitted", found, identifier, attempt, password, failures: admission.failures, origin };
}

/**
 * The second name under which an attempt counts: what was entered if it has found a user by an address or a number, and
 * for an unknown number, that number, so that its spellings count together as they would for a user. Otherwise, the
 * limits would reveal which users exist. Whatever could be an address or a number has one, so that the work is the same.
 *
 * @param found The key of the found user's name.
 */
function aliasOf({ nameKey, emailKey, phone }: Identifier, found: string | undefined): string | undefined {
  if (emailKey === null && phone === null) return undefined;
  if (found === undefined) return phone === null || phone === nameKey ? NO_NAME + nameKey : phone;
  return found === nameKey ? NO_NAME + nameKey : nameKey;
}

/** No user name contains NUL. */
const NO_NAME = "\0";

/** How many times a user's password may change during a verification. */
const MAX_VERIFICATIONS = 2;

/** Verifies the password of an admitted attempt, and records only a success. */
export async function findProved(
  parts: SignInWithPasswordParts,
  { found, identifier, attempt, password, failures }: AdmittedPassword,
  caller: Caller,
): Promise<SignInUser | undefined> {
  const { passwords, attemptLimit } = parts;
  const { orgId } = attempt;
  const forgiven = attemptLimit.failuresOf(attempt);
  const options = { turn: { kind: "page", orgId }, ...caller } as const;
  let user = found;
  for (let count = 0; count < MAX_VERIFICATIONS; count++) {
    if (count > 0) user = await findIdentifiedUser(parts, { orgId, ...identifier }, caller);
    const { matches, needsRehash } = await verify(parts, attempt, { password, user }, options);
    if (!matches || user?.state !== "active") return undefined;
    // The old hash works too, so nobody waits for the new one.
    const mayRehash = needsRehash && !user.passwordChangeRequired && passwords.state().waiting === 0;
    const newHash = mayRehash ? await passwords.hash(password, options).catch(() => undefined) : undefined;
    caller.throwIfOver();
    const proved = await recordPasswordSuccess(parts, user, { failures: failures - 1, newHash, forgiven });
    if (proved !== undefined) return proved;
  }
  return undefined;
}

/** Verifies the password. An attempt that is rejected because too many wait does not count. */
async function verify(
  { passwords, attemptLimit }: SignInWithPasswordParts,
  attempt: Attempt,
  { password, user }: { readonly password: string; readonly user: SignInUser | undefined },
  options: HashOptions,
): Promise<Verification> {
  try {
    return await passwords.verify(password, user?.passwordHash ?? null, options);
  } catch (error) {
    if (error instanceof SignetError && error.code === "unavailable") await attemptLimit.withdraw(attempt);
    throw error;
  }
}

/** Records a wrong password. */
export async function recordFailure(
  parts: SignInWithPasswordParts,
  { found, attempt, failures, origin }: AdmittedPassword,
): Promise<void> {
  if (!isRecorded(failures)) return;
  await recordPasswordFailure(parts, found, { failures, knownDevice: attempt.device !== undefined, ...origin });
}
