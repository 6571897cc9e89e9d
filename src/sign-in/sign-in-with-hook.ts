import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../call.ts";
import type { Config } from "../config.ts";
import type { PasswordHooks } from "../password-hook/create-password-hooks.ts";
import type { PasswordHook } from "../password-hook/find-password-hook.ts";
import { describePasswordProblem, LONGEST_PASSWORD } from "../passwords/policy.ts";
import { findIdentifiedUser } from "./find-identified-user.ts";
import type { SignInUser } from "./find-sign-in-user.ts";
import { recordImportedPassword } from "./record-imported-password.ts";
import {
  type AdmittedPassword,
  admitPassword,
  findProved,
  type PasswordAttempt,
  type PasswordOutcome,
  recordFailure,
  type SignInWithPasswordParts,
} from "./sign-in-with-password.ts";

export interface SignInWithHookParts extends SignInWithPasswordParts {
  readonly passwordHooks: PasswordHooks;
  readonly config: Pick<Config, "passwordHash">;
}

export type HookOutcome =
  | PasswordOutcome
  /** Nothing says whether the password is right. The reason is for the log. */
  | { readonly kind: "unavailable"; readonly reason: string };

/**
 * Like `signInWithPassword`. If the organization has a password hook, it verifies the password of a user who has none,
 * and Signet stores it (docs/moving/password-hook.md).
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
  const user = await findProved(parts, admitted, caller);
  if (user !== undefined) return { kind: "proved", user };
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
  const { found: user, identifier, attempt, password, failures } = admitted;
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
      const imported = { passwordHash, changeRequired, failures: failures - 1, forgiven };
      const stored = await recordImportedPassword(parts, user, imported);
      if (stored !== undefined) return { kind: "proved", user: stored };
      // Another request has stored a password, which decides from now on.
      const found = await findIdentifiedUser(parts, { orgId: attempt.orgId, ...identifier }, caller);
      const proved = await findProved(parts, { ...admitted, found }, caller);
      return proved === undefined ? { kind: "failed" } : { kind: "proved", user: proved };
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
