/** The fields that a column of a table may become, besides `metadata.<key>` and `link.<provider>`. */
export const COLUMN_FIELDS = [
  ...(["id", "userName", "firstName", "lastName", "displayName", "nickName", "language", "gender"] as const),
  ...(["email", "emailVerified", "phone", "phoneVerified", "passwordHash", "passwordChangeRequired"] as const),
  ...(["secondFactorRequired", "otp", "recoveryCodes", "subject", "org"] as const),
  ...(["inactive", "active", "status", "accountControl", "bannedUntil", "deleted"] as const),
] as const;

/** A user without one of these is refused, unless a rule such as `--names` applies. */
export const REQUIRED_FIELDS = ["email", "firstName", "lastName"] as const;

/** The value in `--map` for a column that is not imported, even though its name is known. */
export const NOT_IMPORTED = "-";
