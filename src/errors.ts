/** Errors without any transport: each wire turns them into its own form. */

/** Names of the canonical codes (google.rpc.Code) that Signet uses. */
export type ErrorCode =
  | "invalid_argument"
  | "deadline_exceeded"
  | "not_found"
  | "already_exists"
  | "failed_precondition"
  | "permission_denied"
  | "resource_exhausted"
  | "aborted"
  | "unimplemented"
  | "internal"
  | "unavailable"
  | "unauthenticated";

/** Every reason and its code. Reasons are part of the API: they are never renamed. */
export const REASONS = {
  TOKEN_MISSING: "unauthenticated",
  TOKEN_INVALID: "unauthenticated",
  PERMISSION_DENIED: "permission_denied",
  ORG_NOT_FOUND: "not_found",
  USER_NOT_FOUND: "not_found",
  IDP_NOT_FOUND: "not_found",
  APP_NOT_FOUND: "not_found",
  TOKEN_NOT_FOUND: "not_found",
  PASSKEY_NOT_FOUND: "not_found",
  IDP_LINK_NOT_FOUND: "not_found",
  ORG_NAME_TAKEN: "already_exists",
  USER_NAME_TAKEN: "already_exists",
  IDP_LINK_TAKEN: "already_exists",
  MEMBER_EXISTS: "already_exists",
  MEMBER_NOT_FOUND: "not_found",
  PHONE_NOT_FOUND: "not_found",
  USER_STATE: "failed_precondition",
  IDP_STATE: "failed_precondition",
  OWN_USER: "failed_precondition",
  APP_STATE: "failed_precondition",
  APP_WITHOUT_SECRET: "failed_precondition",
  PHONE_VERIFIED: "failed_precondition",
  RECIPIENT_NOT_VERIFIED: "failed_precondition",
  SMS_PROVIDER_MISSING: "failed_precondition",
  MAIL_SERVER_MISSING: "failed_precondition",
  IDEMPOTENCY_KEY_REUSED: "failed_precondition",
  TOO_MANY_MESSAGES: "resource_exhausted",
  INVALID_ARGUMENT: "invalid_argument",
  BODY_TOO_LARGE: "resource_exhausted",
  HEADERS_TOO_LARGE: "resource_exhausted",
  HTTP_MALFORMED: "invalid_argument",
  REQUEST_TIMEOUT: "deadline_exceeded",
  TOO_MANY_REQUESTS: "resource_exhausted",
  FRAME_COMPRESSED: "internal",
  COMPRESSION_INVALID: "internal",
  MESSAGE_COUNT: "unimplemented",
  PATH_NOT_FOUND: "not_found",
  SERVICE_UNKNOWN: "not_found",
  METHOD_NOT_ALLOWED: "unimplemented",
  CONTENT_TYPE_UNSUPPORTED: "invalid_argument",
  ABORTED: "aborted",
  UNAVAILABLE: "unavailable",
  DEADLINE_EXCEEDED: "deadline_exceeded",
  INTERNAL: "internal",
} as const satisfies Record<string, ErrorCode>;

export type Reason = keyof typeof REASONS;

/** One broken rule of one field. */
export interface Violation {
  /** JSON path of the field, such as `profile.firstName` or `idps[1].configId`; empty for the body as a whole. */
  readonly field: string;
  /** What was wrong and what is allowed, without the value where it may be secret. */
  readonly description: string;
}

/** Collects broken rules while a request is checked, so that one answer names them all. */
export interface Problems {
  /** @param field JSON path; see `Violation`. */
  add(field: string, description: string): void;
}

/** An error for the caller. `cause` goes to the log and never to the caller. */
export class SignetError extends Error {
  readonly reason: Reason;
  readonly code: ErrorCode;
  readonly violations: readonly Violation[];
  /** After how many milliseconds a retry may succeed; undefined where a retry does not help. */
  readonly retryAfterMs: number | undefined;
  /**
   * Facts for programs (AIP-193); the caller may read them. `field`: JSON path of a field; `limit`: a number; `userId`,
   * `idpId`, `orgId`: what the caller sent, or the object in the way; `outcome`: `unknown` where the change may have been
   * made.
   */
  readonly metadata: Readonly<Record<string, string>>;

  constructor(
    reason: Reason,
    message: string,
    options: {
      violations?: readonly Violation[];
      retryAfterMs?: number;
      metadata?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "SignetError";
    this.reason = reason;
    this.code = REASONS[reason];
    this.violations = options.violations ?? [];
    this.retryAfterMs = options.retryAfterMs ?? RETRY_AFTER_MS[this.code];
    this.metadata = options.metadata ?? {};
  }
}

/** Retries that nothing more is known of. A conflict is over at once, an outage is not. */
const RETRY_AFTER_MS: Partial<Record<ErrorCode, number>> = { unavailable: 1_000, aborted: 100 };

/** How many violations the message lists; the details hold all of them. */
const LISTED = 8;

/** The error for input that breaks rules. */
export function invalidArgument(...violations: Violation[]): SignetError {
  const listed = violations
    .slice(0, LISTED)
    .map(({ field, description }) => (field ? `${field}: ${description}` : description));
  if (violations.length > LISTED) listed.push(`and ${violations.length - LISTED} more`);
  return new SignetError("INVALID_ARGUMENT", listed.join("; "), { violations });
}

export function bodyTooLarge(maxBytes: number): SignetError {
  return new SignetError("BODY_TOO_LARGE", `the body has more than ${maxBytes} bytes`, {
    metadata: { limit: String(maxBytes) },
  });
}

export function deadlineExceeded(): SignetError {
  return new SignetError("DEADLINE_EXCEEDED", "the deadline passed before the answer was ready");
}
