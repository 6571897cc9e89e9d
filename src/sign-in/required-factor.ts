import type { LoginPolicy } from "../policies/login-policy.ts";
import type { SignInUser } from "./find-sign-in-user.ts";
import type { Proved } from "./proof.ts";

/**
 * Whether a login policy requires a second factor of a sign-in: `soon` until the date from which it does.
 *
 * With `forceMfaLocalOnly`, users whom an identity provider has confirmed need none, whatever `forceMfa` says.
 */
export function requiredFactor(policy: LoginPolicy, { idp }: Pick<Proved, "idp">, now: Date): "no" | "soon" | "now" {
  const { forceMfa, forceMfaLocalOnly, forceMfaFrom } = policy;
  const isRequired = forceMfaLocalOnly ? idp === undefined : forceMfa;
  if (!isRequired) return "no";
  return forceMfaFrom !== null && now < new Date(forceMfaFrom) ? "soon" : "now";
}

/** Whether the user may go on without the second factor until the policy requires it. */
export function canPostpone(
  policy: LoginPolicy,
  user: Pick<SignInUser, "secondFactorRequired">,
  proved: Pick<Proved, "idp">,
  now: Date,
): boolean {
  return !user.secondFactorRequired && requiredFactor(policy, proved, now) === "soon";
}
