import type { LoginPolicy } from "../policies/login-policy.ts";
import type { SignInUser } from "./find-sign-in-user.ts";
import type { Proved } from "./proof.ts";

/** What decides whether a sign-in requires a second factor: the login policy, or the application. */
interface FactorRules {
  readonly policy: LoginPolicy;
  readonly requiresTwoFactors: boolean;
}

/**
 * Whether a sign-in requires a second factor: `soon` until the date from which the policy does.
 *
 * With `forceMfaLocalOnly`, users whom an identity provider has confirmed need none, whatever `forceMfa` says.
 */
export function requiredFactor(
  { policy, requiresTwoFactors }: FactorRules,
  { idp }: Pick<Proved, "idp">,
  now: Date,
): "no" | "soon" | "now" {
  if (requiresTwoFactors) return "now";
  const { forceMfa, forceMfaLocalOnly, forceMfaFrom } = policy;
  const isRequired = forceMfaLocalOnly ? idp === undefined : forceMfa;
  if (!isRequired) return "no";
  return forceMfaFrom !== null && now < new Date(forceMfaFrom) ? "soon" : "now";
}

/** Whether the user may go on without the second factor until the policy requires it. */
export function canPostpone(
  rules: FactorRules,
  user: Pick<SignInUser, "secondFactorRequired">,
  proved: Pick<Proved, "idp">,
  now: Date,
): boolean {
  return !user.secondFactorRequired && requiredFactor(rules, proved, now) === "soon";
}
