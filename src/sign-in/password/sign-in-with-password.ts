import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../../call.ts";
import type { Config } from "../../config.ts";
import { SignetError } from "../../errors.ts";
import { userNameKey } from "../../fields/user-name.ts";
import type { PasswordHooks } from "../../password-hook/create-password-hooks.ts";
import type { PasswordHook } from "../../password-hook/find-password-hook.ts";
import type { Hasher, HashOptions } from "../../passwords/hasher.ts";
import { describePasswordProblem, LONGEST_PASSWORD } from "../../passwords/policy.ts";
import type { Verification } from "../../passwords/verifier.ts";
import type { Attempt, AttemptOutcome } from "../attempt-limit.ts";
import { type AttemptParts, isRecorded } from "../failed-sign-ins.ts";
import { findIdentifiedUser, type SignInUser } from "../find-sign-in-user.ts";
import type { Identifier } from "../identifier.ts";
import type { KnownDevices } from "../known-devices.ts";
import { type SignInOrigin, toSignInOrigin } from "../sign-in-origin.ts";
import {
  type PasswordCheck,
  recordImportedPassword,
  recordPasswordFailure,
  recordPasswordSuccess,
} from "./record-password-events.ts";

interface SignInWithPasswordParts extends AttemptParts {
  readonly passwords: Hasher;
  readonly knownDevices: KnownDevices;
}

interface PasswordAttempt {
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
): Promise<AttemptOutcome> {
  const admitted = await admitPassword(parts, attempt, caller);
  if (admitted.kind === "too-often") return admitted;
  const proved = await findProved(parts, admitted, caller);
  if (proved !== undefined) return { kind: "proved", user: proved.user };
  await recordFailure(parts, admitted);
  return { kind: "failed" };
}

/** An attempt that is counted as a failure until it succeeds. */
interface AdmittedPassword {
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

async function admitPassword(
  parts: SignInWithPasswordParts,
  { orgId, identifier, password, address, deviceCookie }: PasswordAttempt,
  caller: Caller,
): Promise<AdmittedPassword | Extract<AttemptOutcome, { kind: "too-often" }>> {
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

interface ProvedByPassword {
  readonly user: SignInUser;
  /** Present if the caller has to record it, see `signInWithHook`. */
  readonly check?: PasswordCheck;
}

/**
 * Verifies the password of an admitted attempt, and records only a success. With `leavesRecord`, only if there is a new
 * hash to store.
 */
async function findProved(
  parts: SignInWithPasswordParts,
  { found, identifier, attempt, password, failures, origin }: AdmittedPassword,
  caller: Caller,
  { leavesRecord } = { leavesRecord: false },
): Promise<ProvedByPassword | undefined> {
  const { passwords, attemptLimit } = parts;
  const { orgId } = attempt;
  const check = { failures: failures - 1, forgiven: attemptLimit.failuresOf(attempt), origin };
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
    if (leavesRecord && newHash === undefined) return { user, check };
    const proved = await recordPasswordSuccess(parts, user, check, newHash);
    if (proved !== undefined) return { user: proved };
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

async function recordFailure(
  parts: SignInWithPasswordParts,
  { found, attempt, failures, origin }: AdmittedPassword,
): Promise<void> {
  const failure = { orgId: attempt.orgId, userId: found?.id, kind: "password", origin } as const;
  parts.failedSignIns.add(failure, parts.clock());
  if (!isRecorded(failures)) return;
  await recordPasswordFailure(parts, found, { failures, knownDevice: attempt.device !== undefined, ...origin });
}

interface SignInWithHookParts extends SignInWithPasswordParts {
  readonly passwordHooks: PasswordHooks;
  readonly config: Pick<Config, "passwordHash">;
}

type HookOutcome =
  | Exclude<AttemptOutcome, { kind: "proved" }>
  | ({ readonly kind: "proved" } & ProvedByPassword)
  /** Nothing says whether the password is right. The reason is for the log. */
  | { readonly kind: "unavailable"; readonly reason: string };

/**
 * Like `signInWithPassword`. If the organization has a password hook, it verifies the password of a user who has none,
 * and Signet stores it (docs/moving/password-hook.md).
 *
 * The caller records a correct password: the end of the sign-in does it in the statement that writes the user anyway.
 *
 * @throws SignetError UNAVAILABLE if too many passwords wait to be hashed, ABORTED, or for a failure of the database.
 */
export async function signInWithHook(
  parts: SignInWithHookParts,
  attempt: PasswordAttempt,
  caller: Caller,
): Promise<HookOutcome> {
  const admitted = await admitPassword(parts, attempt, caller);
  if (admitted.kind === "too-often") return admitted;
  const startedAt = performance.now();
  const proved = await findProved(parts, admitted, caller, { leavesRecord: true });
  if (proved !== undefined) return { kind: "proved", ...proved };
  const hook = await parts.passwordHooks.find(attempt.orgId, caller);
  const outcome = hook && (await askHook(parts, hook, admitted, caller));
  if (outcome?.kind === "proved") return outcome;
  if (outcome?.kind !== "unavailable") await recordFailure(parts, admitted);
  if (hook !== undefined) await delay(Math.max(0, SHORTEST_FAILURE_MS - (performance.now() - startedAt)));
  return outcome ?? { kind: "failed" };
}

/**
 * The minimum duration of a failure in an organization with a hook, which is longer than most hooks take: otherwise, the
 * duration would reveal which names belong to users without a password.
 */
const SHORTEST_FAILURE_MS = 1_000;

/** Nothing is recorded unless the password is right. */
async function askHook(
  parts: SignInWithHookParts,
  hook: PasswordHook,
  admitted: AdmittedPassword,
  caller: Caller,
): Promise<HookOutcome> {
  const { passwordHooks, passwords, attemptLimit } = parts;
  const { found: user, identifier, attempt, password, failures, origin } = admitted;
  if (!isAskable(parts, user, password)) return { kind: "failed" };
  const answer = await passwordHooks.ask(hook, user.id, password, caller);
  switch (answer.kind) {
    case "none":
      if (!answer.isChecked) await attemptLimit.withdraw(attempt);
      caller.throwIfOver();
      return { kind: "unavailable", reason: answer.reason };
    case "wrong":
      return { kind: "failed" };
    case "right": {
      const passwordHash = await passwords.hash(password, { turn: { kind: "page", orgId: attempt.orgId }, ...caller });
      caller.throwIfOver();
      const { passwordChangeRequired: changeRequired } = answer;
      const forgiven = attemptLimit.failuresOf(attempt);
      const imported = { passwordHash, changeRequired, failures: failures - 1, forgiven, origin };
      const stored = await recordImportedPassword(parts, user, imported);
      if (stored !== undefined) return { kind: "proved", user: stored };
      // Another request has stored a password, which decides from now on.
      const found = await findIdentifiedUser(parts, { orgId: attempt.orgId, ...identifier }, caller);
      const proved = await findProved(parts, { ...admitted, found }, caller, { leavesRecord: true });
      return proved === undefined ? { kind: "failed" } : { kind: "proved", ...proved };
    }
    default:
      return answer satisfies never;
  }
}

/**
 * Whether the hook decides about a password. Not about the users who have roles in the instance or in other organizations:
 * the owner of this organization, who controls the hook, could otherwise sign in as them. Nor about a password that could
 * not be stored.
 */
function isAskable(
  { config }: SignInWithHookParts,
  user: SignInUser | undefined,
  password: string,
): user is SignInUser {
  if (user?.state !== "active" || user.passwordHash !== null || user.hasRolesElsewhere) return false;
  return describePasswordProblem(password, LONGEST_PASSWORD[config.passwordHash]) === undefined;
}
