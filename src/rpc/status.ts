import { create } from "@bufbuild/protobuf";
import { anyPack, durationFromMs } from "@bufbuild/protobuf/wkt";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "../../gen/google/rpc/status_pb.js";
import type { SignetError } from "../errors.ts";
import { CODES, ERROR_DOMAIN } from "../http/error-object.ts";

/** Converts an error to `google.rpc.Status`, with the same details over every protocol. */
export function toStatus(error: SignetError): Status {
  const details = toDetails(error).map(({ desc, value }) => anyPack(desc, create(desc, value as never)));
  return create(StatusSchema, { code: CODES[error.code].rpc, message: error.message.toWellFormed(), details });
}

/** The details of an error: reason, invalid fields, retry delay. */
export function toDetails({ reason, violations, retryAfterMs, metadata }: SignetError) {
  return [
    { desc: ErrorInfoSchema, value: { reason, domain: ERROR_DOMAIN, metadata: { ...metadata } } },
    ...(violations.length > 0
      ? [{ desc: BadRequestSchema, value: { fieldViolations: violations.map((violation) => ({ ...violation })) } }]
      : []),
    ...(retryAfterMs === undefined
      ? []
      : [{ desc: RetryInfoSchema, value: { retryDelay: durationFromMs(retryAfterMs) } }]),
  ];
}
