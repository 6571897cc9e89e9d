/** How recently the user must have authenticated (OpenID Connect Core 1.0, section 3.1.2.1). */
export interface Freshness {
  /** Whether the user must authenticate during this sign-in, even with a session (`prompt=login`). */
  readonly mustAuthenticate: boolean;
  /** The maximum time since the user authenticated, in seconds (`max_age`). */
  readonly maxAge: number | undefined;
  /** Whether the sign-in may then change credentials: on the account page, or to give a device access to the API. */
  readonly guardsCredentials: boolean;
}

/** The permitted difference between the clocks of this service and a provider, in seconds. */
const CLOCK_TOLERANCE = 30;

/** What a provider's word is worth without the time of the authentication. */
export interface ProviderWord {
  /** Whether its protocol has a request to prompt the user, which it has to follow. */
  readonly canPrompt: boolean;
  /** See `requiresAuthTime`. */
  readonly requiresAuthTime: boolean;
  /** Whether its owner has chosen that it need not report a time, so that its word is enough for everything. */
  readonly isTrusted: boolean;
}

/** When a user has authenticated at a provider. */
interface AuthTime {
  /** In seconds since 1970; undefined if that is not known. */
  readonly authTime: number | undefined;
  /**
   * Whether that is only the time of the redirect with which the provider was asked to prompt the user. The person at the
   * browser can remove this request, so it proves to applications what they have asked for, and never protects credentials.
   */
  readonly isAssumed?: boolean;
}

/**
 * The parameters that request it from a provider. With `max_age`, a provider has to return `auth_time` (section 2). One
 * that does not have to is asked to prompt the user instead.
 */
export function toParameters(
  { mustAuthenticate, maxAge }: Pick<Freshness, "mustAuthenticate" | "maxAge">,
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
 * When a user has authenticated at a provider. One that was asked to prompt the user, and need not report a time, is assumed
 * to have done so since then.
 *
 * @param reported See `readAuthTime`.
 * @param startedAt When the browser was redirected to the provider.
 */
export function toAuthTime(
  { mustAuthenticate, maxAge, guardsCredentials }: Freshness,
  reported: number | undefined,
  startedAt: Date,
  { canPrompt, requiresAuthTime, isTrusted }: ProviderWord,
): AuthTime {
  if (reported !== undefined || (!mustAuthenticate && maxAge === undefined)) return { authTime: reported };
  const isEnough = guardsCredentials ? isTrusted : !requiresAuthTime || (canPrompt && maxAge === undefined);
  if (!isEnough) return { authTime: undefined };
  return { authTime: Math.floor(startedAt.getTime() / 1_000), isAssumed: !isTrusted };
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
