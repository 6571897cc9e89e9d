import type { Assertion } from "../passkeys/ceremony.ts";
import type { LoginPolicy } from "../policies/login-policy.ts";

/**
 * Whether a login policy allows a sign-in with these methods (RFC 8176): its first factor, because second factors are
 * always allowed.
 */
export function allowsMethods(policy: LoginPolicy, methods: readonly string[]): boolean {
  if (methods.includes("pwd")) return policy.allowUsernamePassword;
  if (methods.includes("fed")) return policy.allowExternalIdp;
  return policy.allowPasswordless;
}

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

/** The methods of a user who has also entered a one-time code or a recovery code. */
export function withOneTimeCode(methods: readonly string[]): readonly string[] {
  return [...new Set([...methods, "otp", "mfa"])];
}

/**
 * RFC 8176: a key that can be synchronized is a software key. User presence and verification, together with possession
 * of the key, count as multiple factors.
 */
export function toMethods({ deviceType }: Pick<Assertion, "deviceType">): readonly string[] {
  return [deviceType === "singleDevice" ? "hwk" : "swk", "user", "mfa"];
}
