import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import type { BulkImportHumanUsersResponse_Error } from "../../gen/signet/v1/management_pb.js";
import { SignetError, type Violation } from "../errors.ts";

/** A failed call, from a server or the database. */
export interface Failure {
  /**
   * `later`: the server is out of reach or has too much to do; `again`: the call can be repeated at once; `run`: no call can
   * succeed; `call`: the request is refused.
   */
  readonly kind: "later" | "again" | "run" | "call";
  /** Undefined if the error is not one of the API. */
  readonly reason: string | undefined;
  readonly message: string;
  readonly violations: readonly Violation[];
  /** Ids of objects, such as the user who has the name. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The delay that the server has requested, in milliseconds. */
  readonly retryDelayMs: number;
}

/** Reads an error of a call. Throws errors that are none. */
export function readFailure(error: unknown): Failure {
  if (error instanceof SignetError) return ofDatabase(error);
  if (!(error instanceof ConnectError)) throw error;
  const [info] = error.findDetails(ErrorInfoSchema);
  const [retry] = error.findDetails(RetryInfoSchema);
  const { seconds = 0n, nanos = 0 } = retry?.retryDelay ?? {};
  return {
    kind: kindOf(error.code, info?.reason),
    reason: info?.reason,
    message: error.rawMessage,
    violations: error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations),
    metadata: info?.metadata ?? {},
    retryDelayMs: Number(seconds) * 1_000 + nanos / 1e6,
  };
}

/** Reads the error of one user in a call for several. */
export function toFailure(error: BulkImportHumanUsersResponse_Error): Failure {
  const { code, reason, message, fieldViolations: violations, metadata } = error;
  return { kind: kindOf(code, reason), reason, message, violations, metadata, retryDelayMs: 0 };
}

/** The API in this process throws these as they are. */
function ofDatabase({ code, reason, message, violations, metadata, retryAfterMs = 0 }: SignetError): Failure {
  const kind = code === "unavailable" ? "later" : "call";
  return { kind, reason, message, violations, metadata, retryDelayMs: retryAfterMs };
}

function kindOf(code: Code, reason: string | undefined): Failure["kind"] {
  switch (code) {
    case Code.Unavailable:
    case Code.ResourceExhausted:
      return reason === "BODY_TOO_LARGE" ? "call" : "later";
    case Code.DeadlineExceeded:
      return "later";
    case Code.Aborted:
      return "again";
    case Code.Unauthenticated:
    case Code.PermissionDenied:
    case Code.Unimplemented:
      return "run";
    case Code.NotFound:
      return reason === "ORG_NOT_FOUND" ? "run" : "call";
    default:
      // Without a reason, the connection broke, or a proxy responded.
      return reason === undefined ? "later" : "call";
  }
}
