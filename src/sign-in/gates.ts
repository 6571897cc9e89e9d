import { isNoAddress } from "../fields/no-address.ts";
import type { LoginPolicy } from "../policies/login-policy.ts";
import type { SignInUser } from "./find-sign-in-user.ts";
import type { Proved } from "./proof.ts";

/** A step that a user must complete after authenticating. */
export type Gate = "verify-address" | "one-time-code" | "second-factor" | "recent-proof" | "change-password";

/** How a user has authenticated. */
interface GateProof {
  /** The methods verified by this service (RFC 8176), without methods of another provider. */
  readonly methods: readonly string[];
  /** Whether the user has one-time codes: see `openOneTimeCode`. */
  readonly hasOneTimeCode: boolean;
  /** Whether the login policy requires a second factor. */
  readonly needsSecondFactor: boolean;
  /** See `Proved.isStale`. */
  readonly isStale?: boolean | undefined;
}

/**
 * The user's next gate, the same for every sign-in method; undefined if none is left. Deactivated and locked users do
 * not get this far. A required change of the password applies to every method, because the old password must stop
 * working at the next sign-in.
 */
export function nextGate(user: SignInUser, proof: GateProof): Gate | undefined {
  const { methods, hasOneTimeCode, needsSecondFactor, isStale } = proof;
  const hasUsedSecondFactor = methods.some((method) => SECOND_FACTORS.includes(method));
  if (!user.emailVerified && !isNoAddress(user.email)) return "verify-address";
  if (hasOneTimeCode && !hasUsedSecondFactor) return "one-time-code";
  if ((needsSecondFactor || user.secondFactorRequired) && !hasUsedSecondFactor) return "second-factor";
  if (isStale && !hasUsedSecondFactor) return "recent-proof";
  if (user.passwordChangeRequired && user.passwordHash !== null) return "change-password";
  return undefined;
}

/**
 * One-time codes, and passkeys, which always include user verification. The factors that another provider reports do
 * not count, because Signet cannot verify them.
 */
const SECOND_FACTORS: readonly string[] = ["otp", "hwk", "swk"];

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
