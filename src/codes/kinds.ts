const HOUR_SECONDS = 3_600;

/**
 * How long a code of each kind is valid, from the first delivery of its message or, for a passkey, from its creation.
 */
export const VALID_SECONDS = {
  initialization: 72 * HOUR_SECONDS,
  email: 24 * HOUR_SECONDS,
  /** Replaces the address, which stays until then. */
  "email-change": 24 * HOUR_SECONDS,
  phone: HOUR_SECONDS,
  passkey: HOUR_SECONDS,
  password: HOUR_SECONDS,
} as const;

export type CodeKind = keyof typeof VALID_SECONDS;
