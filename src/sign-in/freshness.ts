/** How recently the user must have authenticated (OpenID Connect Core 1.0, section 3.1.2.1). */
export interface Freshness {
  /** Whether the user must authenticate during this sign-in, even with a session (`prompt=login`). */
  readonly mustAuthenticate: boolean;
  /** The maximum time since the user authenticated, in seconds (`max_age`). */
  readonly maxAge: number | undefined;
}

/** The permitted difference between the clocks of this service and a provider, in seconds. */
const CLOCK_TOLERANCE = 30;

/** The parameters that request it from a provider. With `max_age`, a provider has to return `auth_time` (section 2). */
export function toParameters({ mustAuthenticate, maxAge }: Freshness): Record<string, string> {
  if (mustAuthenticate) return { prompt: "login", max_age: "0" };
  return maxAge === undefined ? {} : { max_age: String(maxAge) };
}

/** The time in the claim `auth_time`, in seconds since 1970; undefined if the claim is absent or not a time. */
export function readAuthTime(claim: unknown): number | undefined {
  return typeof claim === "number" && Number.isFinite(claim) && claim > 0 ? Math.floor(claim) : undefined;
}

/**
 * Whether a user has authenticated at a provider recently enough.
 *
 * @param authTime See `readAuthTime`.
 * @param times `startedAt`: when the browser was redirected to the provider.
 */
export function isFresh(
  { mustAuthenticate, maxAge }: Freshness,
  authTime: number | undefined,
  { startedAt, now }: { readonly startedAt: Date; readonly now: Date },
): boolean {
  if (!mustAuthenticate && maxAge === undefined) return true;
  if (authTime === undefined) return false;
  const isSince = (time: number) => authTime >= time - CLOCK_TOLERANCE;
  if (mustAuthenticate && !isSince(startedAt.getTime() / 1_000)) return false;
  return maxAge === undefined || isSince(now.getTime() / 1_000 - maxAge);
}
