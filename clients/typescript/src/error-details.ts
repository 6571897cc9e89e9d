import { durationMs } from "@bufbuild/protobuf/wkt";
import { type Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.js";
import type { Reason } from "./reasons.ts";

/** A rule violated by a field of the request. */
export interface FieldViolation {
  /** JSON path, such as `profile.firstName` or `idps[1].configId`; empty for the whole request. */
  readonly field: string;
  /** What was wrong and what is allowed, for developers. */
  readonly description: string;
}

/** A failed call, decoded. */
export interface ErrorDetails {
  /** The gRPC code. */
  readonly code: Code;
  /**
   * Stable name of the error. Undefined if the service did not respond: the connection failed, the deadline passed, the
   * caller canceled, or a proxy responded. Later versions of the service may have reasons that `Reason` lacks.
   */
  readonly reason: Reason | (string & {}) | undefined;
  /** For developers; may change. */
  readonly message: string;
  /** Facts for programs, such as `userId` for USER_NAME_TAKEN. */
  readonly metadata: Readonly<Record<string, string>>;
  /** All fields that violate a rule, for INVALID_ARGUMENT. */
  readonly violations: readonly FieldViolation[];
  /** The number of milliseconds after which a retry may succeed, if the service returns it. */
  readonly retryDelayMs: number | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
}

const DOMAIN = "signet";

/** Decodes what a call has thrown. */
export function readError(thrown: unknown): ErrorDetails {
  const error = ConnectError.from(thrown);
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === DOMAIN);
  const violations = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
  return {
    code: error.code,
    reason: info?.reason,
    message: error.rawMessage,
    metadata: info?.metadata ?? {},
    violations: violations.map(({ field, description }) => ({ field, description })),
    retryDelayMs: readRetryDelay(error),
    requestId: error.metadata.get("x-request-id") ?? undefined,
  };
}

/** Responses sent before gRPC processing, such as for too many requests, have only the header. */
function readRetryDelay(error: ConnectError): number | undefined {
  const [retry] = error.findDetails(RetryInfoSchema);
  if (retry?.retryDelay) return durationMs(retry.retryDelay);
  const header = error.metadata.get("retry-after");
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1_000 : undefined;
}
