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
export function requestedAcr({ claims, acr_values }: Readonly<Record<string, unknown>>): RequestedAcr | undefined {
  const acr = typeof claims === "string" ? JSON.parse(claims).id_token?.acr : undefined;
  const values = valuesOf(acr);
  if (values !== undefined) return { values, isEssential: acr.essential === true };
  return typeof acr_values === "string" ? { values: acr_values.split(" "), isEssential: false } : undefined;
}

/** The values that a request for a claim accepts; undefined if it accepts any. */
function valuesOf(claim: unknown): readonly unknown[] | undefined {
  const { value, values } = (claim ?? {}) as { readonly value?: unknown; readonly values?: unknown };
  if (values !== undefined) return Array.isArray(values) ? values : [];
  return value === undefined ? undefined : [value];
}

/** The weakest sign-in that a request accepts, as a position in `ACR_VALUES`; undefined if it accepts none of them. */
export function weakestOf({ values }: RequestedAcr): number | undefined {
  const known = values
    .map((value) => (typeof value === "string" ? ACR_VALUES.indexOf(value) : -1))
    .filter((position) => position >= 0);
  return known.length === 0 ? undefined : Math.min(...known);
}

export function requiresTwoFactors(params: Readonly<Record<string, unknown>>): boolean {
  const requested = requestedAcr(params);
  return requested !== undefined && weakestOf(requested) === ACR_VALUES.indexOf(TWO_FACTORS);
}

/** The claim: the strongest value that the request accepts and the sign-in has reached. */
export function acrFor(claim: unknown, reached: string): string {
  const values = valuesOf(claim) ?? [];
  const accepted = ACR_VALUES.slice(0, ACR_VALUES.indexOf(reached) + 1).filter((each) => values.includes(each));
  return accepted.at(-1) ?? reached;
}
