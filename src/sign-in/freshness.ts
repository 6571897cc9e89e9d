/** How recently the user must have authenticated (OpenID Connect Core 1.0, section 3.1.2.1). */
export interface Freshness {
  /** Whether the user must authenticate during this sign-in, even with a session (`prompt=login`). */
  readonly mustAuthenticate: boolean;
  /** The maximum time since the user authenticated, in seconds (`max_age`). */
  readonly maxAge: number | undefined;
}

/** The permitted difference between the clocks of this service and a provider, in seconds. */
const CLOCK_TOLERANCE = 30;

/** What a provider's word is worth without the time of the authentication. */
export interface ProviderWord {
  /** Whether its protocol has a request to prompt the user, which it has to follow. */
  readonly canPrompt: boolean;
  /** See `requiresAuthTime`. */
  readonly requiresAuthTime: boolean;
}

/**
 * The parameters that request it from a provider. With `max_age`, a provider has to return `auth_time` (section 2). One
 * that does not have to is asked to prompt the user instead.
 */
export function toParameters(
  { mustAuthenticate, maxAge }: Freshness,
  { requiresAuthTime }: Pick<ProviderWord, "requiresAuthTime">,
): { readonly prompt?: "login"; readonly max_age?: string } {
  if (mustAuthenticate || (maxAge !== undefined && !requiresAuthTime)) return { prompt: "login", max_age: "0" };
  return maxAge === undefined ? {} : { max_age: String(maxAge) };
}

/** The time in the claim `auth_time`, in seconds since 1970; undefined if the claim is absent or not a time. */
export function readAuthTime(claim: unknown): number | undefined {
  return typeof claim === "number" && Number.isFinite(claim) && claim > 0 ? Math.floor(claim) : undefined;
}

/**
 * When a user has authenticated at a provider, in seconds since 1970; undefined if that is not known. A provider that was
 * asked to prompt the user, and need not report a time, has done so since then.
 *
 * @param reported See `readAuthTime`.
 * @param startedAt When the browser was redirected to the provider.
 */
export function toAuthTime(
  { mustAuthenticate, maxAge }: Freshness,
  reported: number | undefined,
  startedAt: Date,
  { canPrompt, requiresAuthTime }: ProviderWord,
): number | undefined {
  if (reported !== undefined || (!mustAuthenticate && maxAge === undefined)) return reported;
  const isEnough = !requiresAuthTime || (canPrompt && maxAge === undefined);
  return isEnough ? Math.floor(startedAt.getTime() / 1_000) : undefined;
}

/**
 * Whether a user has authenticated at a provider recently enough.
 *
 * @param authTime See `toAuthTime`.
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
