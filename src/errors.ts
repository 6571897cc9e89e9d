/** Errors, independent of the protocol. Each protocol converts them. */

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
  APP_ROLE_NOT_FOUND: "not_found",
  API_NOT_FOUND: "not_found",
  API_IDENTIFIER_TAKEN: "already_exists",
  TOKEN_NOT_FOUND: "not_found",
  PASSKEY_NOT_FOUND: "not_found",
  PASSKEY_TAKEN: "already_exists",
  IDP_LINK_NOT_FOUND: "not_found",
  ORG_STATE: "failed_precondition",
  ORG_PROTECTED: "failed_precondition",
  ORG_NAME_TAKEN: "already_exists",
  EXTERNAL_ID_TAKEN: "already_exists",
  SUBJECT_TAKEN: "already_exists",
  METADATA_NOT_FOUND: "not_found",
  OTP_NOT_FOUND: "not_found",
  MESSAGE_NOT_FOUND: "not_found",
  MESSAGE_STATE: "failed_precondition",
  METADATA_LIMIT: "failed_precondition",
  ORG_DOMAIN_NOT_FOUND: "not_found",
  ORG_DOMAIN_EXISTS: "already_exists",
  ORG_DOMAIN_TAKEN: "already_exists",
  ORG_DOMAIN_VERIFIED: "failed_precondition",
  ORG_DOMAIN_NOT_VERIFIED: "failed_precondition",
  ORG_DOMAIN_NOT_PROVED: "failed_precondition",
  TOO_MANY_DOMAINS: "resource_exhausted",
  TOO_MANY_DOMAIN_CHECKS: "resource_exhausted",
  TOO_MANY_PROVIDER_CHECKS: "resource_exhausted",
  TOO_MANY_WEBHOOK_CHECKS: "resource_exhausted",
  USER_NAME_TAKEN: "already_exists",
  EMAIL_TAKEN: "already_exists",
  PHONE_TAKEN: "already_exists",
  IDP_LINK_TAKEN: "already_exists",
  MEMBER_EXISTS: "already_exists",
  MEMBER_NOT_FOUND: "not_found",
  LAST_OWNER: "failed_precondition",
  POLICY_EXISTS: "already_exists",
  POLICY_NOT_FOUND: "not_found",
  TEXT_NOT_FOUND: "not_found",
  PAGE_TEXTS_LIMIT: "failed_precondition",
  PHONE_NOT_FOUND: "not_found",
  USER_STATE: "failed_precondition",
  IDP_STATE: "failed_precondition",
  IDP_HAS_LINKS: "failed_precondition",
  OWN_USER: "failed_precondition",
  ONLY_WAY_IN: "failed_precondition",
  APP_STATE: "failed_precondition",
  APP_WITHOUT_SECRET: "failed_precondition",
  WEBHOOK_NOT_FOUND: "not_found",
  WEBHOOK_STATE: "failed_precondition",
  WEBHOOK_DELIVERY_NOT_FOUND: "not_found",
  WEBHOOK_DELIVERY_IN_PROGRESS: "failed_precondition",
  TOO_MANY_WEBHOOKS: "resource_exhausted",
  PASSWORD_HOOK_NOT_FOUND: "not_found",
  SCIM_CONNECTION_NOT_FOUND: "not_found",
  TOO_MANY_SCIM_CONNECTIONS: "resource_exhausted",
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
  COMPRESSION_UNKNOWN: "unimplemented",
  MESSAGE_COUNT: "unimplemented",
  PATH_NOT_FOUND: "not_found",
  SERVICE_UNKNOWN: "not_found",
  METHOD_UNKNOWN: "unimplemented",
  METHOD_NOT_ALLOWED: "unimplemented",
  CONTENT_TYPE_UNSUPPORTED: "invalid_argument",
  ABORTED: "aborted",
  UNAVAILABLE: "unavailable",
  DEADLINE_EXCEEDED: "deadline_exceeded",
  INTERNAL: "internal",
} as const satisfies Record<string, ErrorCode>;

export type Reason = keyof typeof REASONS;

/** A violated rule of a field. */
export interface Violation {
  /** JSON path of the field, such as `profile.firstName` or `idps[1].configId`; empty for the whole body. */
  readonly field: string;
  /** What is wrong and what is allowed, without values that may be secret. */
  readonly description: string;
}

/** Collects the violations of a request, so that one response names all of them. */
export interface Problems {
  /** @param field JSON path; see `Violation`. */
  add(field: string, description: string): void;
}

/** Adds what a rule says about a field, if it is violated. */
export function addProblem(problems: Problems, field: string, description: string | false | undefined): void {
  if (description) problems.add(field, description);
}

/** An error for the caller. `cause` goes to the log and never to the caller. */
export class SignetError extends Error {
  readonly reason: Reason;
  readonly code: ErrorCode;
  readonly violations: readonly Violation[];
  /** Milliseconds after which a retry may succeed; undefined if a retry does not help. */
  readonly retryAfterMs: number | undefined;
  /**
   * Data for programs (AIP-193), which the caller may read. `field`: JSON path of a field; `limit`: a number; `userId`,
   * `idpId`, `orgId`: the id that the caller sent, or the id of the conflicting object; `outcome`: `unknown` if the
   * change may have been made.
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

/** Default delays. Conflicts end immediately, outages do not. */
const RETRY_AFTER_MS: Partial<Record<ErrorCode, number>> = { unavailable: 1_000, aborted: 100 };

/** The number of violations in the message; the details contain all of them. */
const LISTED = 8;

/** The error for input that violates rules. */
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
  return new SignetError("DEADLINE_EXCEEDED", "the deadline passed before the response was ready");
}
