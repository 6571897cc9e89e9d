import type { LoginPolicy } from "../policies/login-policy.ts";

/**
 * How long a sign-in lasts, in seconds: the shortest lifetime of its methods in the policy. Undefined if the policy
 * limits none of them.
 *
 * @param methods RFC 8176, such as `pwd`.
 */
export function signInLifetime(policy: LoginPolicy, methods: readonly string[]): number | undefined {
  const lifetimes = Object.entries(LIFETIMES).flatMap(([method, field]) =>
    methods.includes(method) ? (policy[field] ?? []) : [],
  );
  return lifetimes.length === 0 ? undefined : Math.min(...lifetimes);
}

const LIFETIMES = {
  pwd: "passwordCheckSeconds",
  fed: "externalLoginCheckSeconds",
  otp: "secondFactorCheckSeconds",
  hwk: "multiFactorCheckSeconds",
  swk: "multiFactorCheckSeconds",
} as const;
