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
