import type { ErrorCode, Reason, SignetError } from "../errors.ts";

/** The numbers in google.rpc.Code, each with its HTTP status according to google/rpc/code.proto. */
export const CODES = {
  invalid_argument: { rpc: 3, http: 400 },
  deadline_exceeded: { rpc: 4, http: 504 },
  not_found: { rpc: 5, http: 404 },
  already_exists: { rpc: 6, http: 409 },
  permission_denied: { rpc: 7, http: 403 },
  resource_exhausted: { rpc: 8, http: 429 },
  failed_precondition: { rpc: 9, http: 400 },
  aborted: { rpc: 10, http: 409 },
  unimplemented: { rpc: 12, http: 501 },
  internal: { rpc: 13, http: 500 },
  unavailable: { rpc: 14, http: 503 },
  unauthenticated: { rpc: 16, http: 401 },
} as const satisfies Record<ErrorCode, { rpc: number; http: number }>;

/** Reasons with a more precise HTTP status than their code's. */
const HTTP_STATUS: Partial<Record<Reason, number>> = {
  BODY_TOO_LARGE: 413,
  HEADERS_TOO_LARGE: 431,
  REQUEST_TIMEOUT: 408,
  METHOD_UNKNOWN: 404,
  METHOD_NOT_ALLOWED: 405,
  CONTENT_TYPE_UNSUPPORTED: 415,
};

export const ERROR_DOMAIN = "signet";

const TYPE_PREFIX = "type.googleapis.com/google.rpc.";

/** An error as an HTTP response: `google.rpc.Status` in JSON (docs/api.md). */
interface ErrorResponse {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export function toErrorResponse(error: SignetError): ErrorResponse {
  const { code, reason, message, metadata, violations, retryAfterMs } = error;
  const details: object[] = [{ "@type": `${TYPE_PREFIX}ErrorInfo`, reason, domain: ERROR_DOMAIN, ...known(metadata) }];
  if (violations.length > 0) {
    const fieldViolations = violations.map(({ field, description }) => ({ ...(field && { field }), description }));
    details.push({ "@type": `${TYPE_PREFIX}BadRequest`, fieldViolations });
  }
  if (retryAfterMs !== undefined) {
    details.push({ "@type": `${TYPE_PREFIX}RetryInfo`, retryDelay: toDuration(retryAfterMs) });
  }
  return {
    status: httpStatusOf(code, reason),
    headers: ["content-type", "application/json", ...errorHeaders(error)],
    body: Buffer.from(JSON.stringify({ code: CODES[code].rpc, message: message.toWellFormed(), details })),
  };
}

/** The HTTP status of an error, for the protocols that have one. */
export function httpStatusOf(code: ErrorCode, reason: Reason): number {
  return HTTP_STATUS[reason] ?? CODES[code].http;
}

/** In ProtoJSON, a duration has no fraction, or one of three, six or nine digits. */
function toDuration(ms: number): string {
  return `${ms % 1_000 === 0 ? ms / 1_000 : (ms / 1_000).toFixed(3)}s`;
}

/** ProtoJSON omits an empty map. */
function known(metadata: Readonly<Record<string, string>>) {
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}

/**
 * Headers of an error over every protocol: how to authenticate (RFC 9110, section 11.6.1; RFC 6750, section 3), and when
 * to retry (RFC 9110, section 10.2.3). A conflict has no such header, because the header counts whole seconds. There is
 * no `grpc-retry-pushback-ms`, which replaces the random backoff of clients: all would retry at the same time.
 */
export function errorHeaders({ code, retryAfterMs }: SignetError): string[] {
  const headers: string[] = [];
  if (code === "unauthenticated") headers.push("www-authenticate", "Bearer");
  if (retryAfterMs !== undefined && code !== "aborted")
    headers.push("retry-after", String(Math.ceil(retryAfterMs / 1_000)));
  return headers;
}
