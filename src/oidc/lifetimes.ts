const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The lifetimes of codes and tokens, in seconds. */
export const SECONDS = {
  accessToken: HOUR,
  authorizationCode: MINUTE,
  deviceCode: 10 * MINUTE,
  idToken: HOUR,
  /** From the application's request until the user has signed in. */
  interaction: HOUR,
  /** From the sign-in; a rotated token inherits the expiry. */
  refreshToken: 30 * DAY,
} as const;

/**
 * How much longer rows of these kinds are kept than oidc-provider says, in seconds. A pushed request is used up at the end
 * of the sign-in that began with it. A DPoP proof may be dated by a clock that is five minutes ahead.
 */
export const KEPT_SECONDS: Readonly<Record<string, number>> = {
  PushedAuthorizationRequest: SECONDS.interaction,
  ReplayDetection: 5 * MINUTE,
};

/** The lifetimes of sessions, in seconds. */
export const SESSION_SECONDS = {
  /** Since the last use, if the browser keeps the session. */
  idle: 14 * DAY,
  /** Since the sign-in, if the browser keeps the session. */
  absolute: 30 * DAY,
  /** Since the sign-in, if the session ends with the browser. */
  transient: DAY,
  /** Before a sign-in, for the token of a form. */
  anonymous: HOUR,
} as const;

/** A grant outlives its refresh tokens. */
export const GRANT_SECONDS = {
  lifetime: SECONDS.refreshToken + 2 * DAY,
  renewBelow: SECONDS.refreshToken + DAY,
} as const;
