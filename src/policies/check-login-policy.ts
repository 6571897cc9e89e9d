import type { Problems } from "../errors.ts";
import { describeRedirectUriProblem } from "../fields/client-uri.ts";
import type { LoginPolicy } from "./login-policy.ts";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** In seconds. A session lasts no longer (src/oidc/lifetimes.ts). */
const CHECK_LIFETIME = { min: 5 * MINUTE, max: 30 * DAY, description: "must be from 5 minutes to 30 days" };
const SKIP_LIFETIME = { min: 0, max: 3_650 * DAY, description: "must be from 0 to 3650 days" };

/** The lifetimes by their names in requests. */
export const LIFETIMES = {
  passwordCheckLifetime: { field: "passwordCheckSeconds", limits: CHECK_LIFETIME },
  externalLoginCheckLifetime: { field: "externalLoginCheckSeconds", limits: CHECK_LIFETIME },
  secondFactorCheckLifetime: { field: "secondFactorCheckSeconds", limits: CHECK_LIFETIME },
  multiFactorCheckLifetime: { field: "multiFactorCheckSeconds", limits: CHECK_LIFETIME },
  mfaInitSkipLifetime: { field: "mfaInitSkipSeconds", limits: SKIP_LIFETIME },
} as const;

/** Checks the values of a policy, and returns it. Violations have the names of the fields in requests. */
export function checkLoginPolicy(policy: LoginPolicy, problems: Problems): LoginPolicy {
  const { defaultRedirectUri, forceMfa, forceMfaLocalOnly, forceMfaFrom } = policy;
  if (!policy.allowUsernamePassword && !policy.allowExternalIdp && !policy.allowPasswordless) {
    const description = "must be true if neither passkeys nor identity providers are allowed: nobody could sign in";
    problems.add("allowUsernamePassword", description);
  }
  // A page of a native application is allowed too.
  const rules = { native: true, devMode: false };
  const problem = defaultRedirectUri === null ? undefined : describeRedirectUriProblem(defaultRedirectUri, rules);
  if (problem !== undefined) problems.add("defaultRedirectUri", problem);
  if (forceMfaFrom !== null && !forceMfa && !forceMfaLocalOnly) {
    problems.add("forceMfaFrom", "requires forceMfa or forceMfaLocalOnly");
  }
  for (const [name, { field, limits }] of Object.entries(LIFETIMES)) {
    const seconds = policy[field];
    if (seconds === null || (seconds >= limits.min && seconds <= limits.max)) continue;
    problems.add(name, limits.description);
  }
  if (policy.allowRegister && !policy.allowUsernamePassword && !policy.allowPasswordless) {
    problems.add("allowRegister", "requires passwords or passkeys: people register with one of them");
  }
  return policy;
}
