import { errors, type interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";

/** How strongly a user has authenticated: with one factor, or with two, such as a passkey with user verification. */
const ONE_FACTOR = "urn:signet:acr:1";
const TWO_FACTORS = "urn:signet:acr:2";

/** The values of the claim `acr`, from the weakest to the strongest. */
export const ACR_VALUES = [ONE_FACTOR, TWO_FACTORS];

/** @param methods Those of the claim `amr` (RFC 8176). */
export function toAcr(methods: readonly string[]): string {
  return methods.includes("mfa") ? TWO_FACTORS : ONE_FACTOR;
}

/** The `acr` values that a request accepts. */
interface RequestedAcr {
  readonly values: readonly unknown[];
  readonly isEssential: boolean;
}

/** Reads the parameters `claims` and `acr_values` (OpenID Connect Core 1.0, sections 5.5.1.1 and 3.1.2.1). */
function requestedAcr({ claims, acr_values }: Readonly<Record<string, unknown>>): RequestedAcr | undefined {
  const acr = typeof claims === "string" ? JSON.parse(claims).id_token?.acr : undefined;
  const values = acr?.values ?? (acr?.value === undefined ? undefined : [acr.value]);
  if (values !== undefined && !Array.isArray(values)) {
    throw new errors.InvalidRequest("the values of acr in claims must be an array");
  }
  if (values !== undefined) return { values, isEssential: acr.essential === true };
  return typeof acr_values === "string" ? { values: acr_values.split(" "), isEssential: false } : undefined;
}

/** The weakest sign-in that a request accepts, as a position in `ACR_VALUES`; undefined if any is accepted. */
function weakestOf({ values }: RequestedAcr): number | undefined {
  const known = values.map((value) => ACR_VALUES.indexOf(String(value))).filter((position) => position >= 0);
  return known.length === 0 ? undefined : Math.min(...known);
}

export function requiresTwoFactors(params: Readonly<Record<string, unknown>>): boolean {
  const requested = requestedAcr(params);
  return requested !== undefined && weakestOf(requested) === ACR_VALUES.indexOf(TWO_FACTORS);
}

/**
 * Whether the sign-in of the session is too weak for the request.
 *
 * @throws UnmetAuthenticationRequirements if an essential value is unknown, or not reached by the sign-in that just ended.
 */
export function isTooWeak({ oidc }: KoaContextWithOIDC): boolean {
  const requested = requestedAcr(oidc.params ?? {});
  if (requested === undefined) return false;
  const weakest = weakestOf(requested);
  const isMet = weakest !== undefined && oidc.acr !== undefined && ACR_VALUES.indexOf(oidc.acr) >= weakest;
  if (isMet) return false;
  if (weakest !== undefined && oidc.result?.login === undefined) return true;
  if (!requested.isEssential) return false;
  throw new errors.UnmetAuthenticationRequirements("the requested acr is not supported, or was not reached");
}

/** The claim: the strongest value that the request accepts and the sign-in has reached. */
export function acrFor(filter: unknown, reached: string): string {
  const { value, values = [value] } = (filter ?? {}) as {
    readonly value?: unknown;
    readonly values?: readonly unknown[];
  };
  const accepted = ACR_VALUES.slice(0, ACR_VALUES.indexOf(reached) + 1).filter((each) => values.includes(each));
  return accepted.at(-1) ?? reached;
}

/** Those of oidc-provider ask for ever if the sign-in does not become strong enough. */
export function removeOwnConditions(checks: interactionPolicy.Prompt["checks"]): void {
  for (const reason of ["essential_acr", "essential_acrs"]) checks.remove(reason);
}
