/**
 * What can go wrong, told without any transport: the server turns it into the error form of gRPC, gRPC-Web, REST or
 * Connect.
 */

/** Names of the canonical codes (google.rpc.Code) that Signet uses. */
export type ErrorCode =
  | "invalid_argument"
  | "deadline_exceeded"
  | "not_found"
  | "already_exists"
  | "permission_denied"
  | "resource_exhausted"
  | "aborted"
  | "unimplemented"
  | "internal"
  | "unavailable"
  | "unauthenticated";

/** Every reason an error of Signet can have, and its code. Reasons are part of the API: they are never renamed. */
export const REASONS = {
  TOKEN_MISSING: "unauthenticated",
  TOKEN_INVALID: "unauthenticated",
  PERMISSION_DENIED: "permission_denied",
  ORG_NOT_FOUND: "not_found",
  USER_NOT_FOUND: "not_found",
  IDP_NOT_FOUND: "not_found",
  TOKEN_NOT_FOUND: "not_found",
  ORG_NAME_TAKEN: "already_exists",
  USER_NAME_TAKEN: "already_exists",
  IDP_LINK_TAKEN: "already_exists",
  INVALID_ARGUMENT: "invalid_argument",
  BODY_TOO_LARGE: "resource_exhausted",
  FRAME_COMPRESSED: "internal",
  MESSAGE_COUNT: "unimplemented",
  PATH_NOT_FOUND: "not_found",
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

/** An error that a caller is told. `cause` goes to the log and never to the caller. */
export class SignetError extends Error {
  readonly reason: Reason;
  readonly code: ErrorCode;
  readonly violations: readonly Violation[];
  /** After how many milliseconds a retry may succeed; undefined where nothing is known. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: Reason,
    message: string,
    options: { violations?: readonly Violation[]; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "SignetError";
    this.reason = reason;
    this.code = REASONS[reason];
    this.violations = options.violations ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** How many violations the message tells in words; all of them are in the details. */
const TOLD = 8;

/** The error for input that breaks rules. */
export function invalidArgument(...violations: Violation[]): SignetError {
  const told = violations
    .slice(0, TOLD)
    .map(({ field, description }) => (field ? `${field}: ${description}` : description));
  if (violations.length > TOLD) told.push(`and ${violations.length - TOLD} more`);
  return new SignetError("INVALID_ARGUMENT", told.join("; "), { violations });
}
