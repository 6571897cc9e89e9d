import { create, createRegistry, type JsonObject, toBinary, toJson } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, encodeBinaryHeader } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "../../gen/google/rpc/status_pb.js";
import { type ErrorCode, type Reason, SignetError } from "../errors.ts";

/** Codes of google.rpc.Code, and the HTTP status that its documentation gives each. */
const CODES = {
  invalid_argument: { rpc: Code.InvalidArgument, http: 400 },
  deadline_exceeded: { rpc: Code.DeadlineExceeded, http: 504 },
  not_found: { rpc: Code.NotFound, http: 404 },
  already_exists: { rpc: Code.AlreadyExists, http: 409 },
  permission_denied: { rpc: Code.PermissionDenied, http: 403 },
  resource_exhausted: { rpc: Code.ResourceExhausted, http: 429 },
  aborted: { rpc: Code.Aborted, http: 409 },
  unimplemented: { rpc: Code.Unimplemented, http: 501 },
  internal: { rpc: Code.Internal, http: 500 },
  unavailable: { rpc: Code.Unavailable, http: 503 },
  unauthenticated: { rpc: Code.Unauthenticated, http: 401 },
} as const satisfies Record<ErrorCode, { rpc: Code; http: number }>;

/** Reasons for which HTTP has a status that says more than that of the code. */
const HTTP_STATUS_OF_REASON: Partial<Record<Reason, number>> = {
  BODY_TOO_LARGE: 413,
  METHOD_NOT_ALLOWED: 405,
  CONTENT_TYPE_UNSUPPORTED: 415,
};

const DOMAIN = "signet";
const REGISTRY = createRegistry(ErrorInfoSchema, BadRequestSchema);

/** The error as gRPC, gRPC-Web and Connect send it. */
export function toConnectError(error: SignetError): ConnectError {
  const details = [
    { desc: ErrorInfoSchema, value: errorInfo(error) },
    ...(error.violations.length > 0 ? [{ desc: BadRequestSchema, value: badRequest(error) }] : []),
  ];
  return new ConnectError(error.message, CODES[error.code].rpc, headersOf(error), details, error);
}

/** The error as gRPC has it in its trailers (PROTOCOL-HTTP2.md, "Status" and "Status-Message"). */
export function toGrpcTrailers(error: SignetError): Record<string, string> {
  return {
    ...headersOf(error),
    "grpc-status": String(CODES[error.code].rpc),
    "grpc-message": encodeURI(error.message.toWellFormed()),
    "grpc-status-details-bin": encodeBinaryHeader(toBinary(StatusSchema, toStatus(error))),
  };
}

/** The error as REST sends it: google.rpc.Status in JSON. */
export function toRestError(error: SignetError): { status: number; headers: Record<string, string>; body: JsonObject } {
  return {
    status: HTTP_STATUS_OF_REASON[error.reason] ?? CODES[error.code].http,
    headers: headersOf(error),
    body: toJson(StatusSchema, toStatus(error), { registry: REGISTRY }) as JsonObject,
  };
}

export function deadlineExceeded(): SignetError {
  return new SignetError("DEADLINE_EXCEEDED", "the deadline passed before the answer was ready");
}

/** RFC 9110, section 11.6.1, and RFC 6750, section 3: a 401 says how to authenticate. */
function headersOf({ code }: SignetError): Record<string, string> {
  return code === "unauthenticated" ? { "www-authenticate": "Bearer" } : {};
}

function toStatus(error: SignetError): Status {
  const details = [
    anyPack(ErrorInfoSchema, errorInfo(error)),
    ...(error.violations.length > 0 ? [anyPack(BadRequestSchema, badRequest(error))] : []),
  ];
  return create(StatusSchema, { code: CODES[error.code].rpc, message: error.message, details });
}

function errorInfo({ reason }: SignetError) {
  return create(ErrorInfoSchema, { reason, domain: DOMAIN });
}

function badRequest({ violations }: SignetError) {
  return create(BadRequestSchema, {
    fieldViolations: violations.map(({ field, description }) => ({ field, description })),
  });
}
