import { create, toBinary } from "@bufbuild/protobuf";
import { type Any, anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import {
  type BadRequest,
  BadRequest_FieldViolationSchema,
  BadRequestSchema,
} from "../../../gen/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "../../../gen/google/rpc/status_pb.js";

/**
 * Clients such as those in Python and Java accept 8 KiB of headers or trailers, counting 32 bytes for each. Base64 takes a
 * third more than these bytes, and 1 KiB remains for all other headers.
 */
const MAX_STATUS_BYTES = 4_200;

/** In percent-encoding. */
const MAX_MESSAGE_BYTES = 1_500;

/** `and 4294967295 more`, with its field numbers and lengths. */
const REST_BYTES = 40;

/** Shortens an error for gRPC trailers: the message, and the list of invalid fields, which then says how many follow. */
export function limitStatus(status: Status): Status {
  const limited = { ...status, message: shortenMessage(status.message) };
  const excess = toBinary(StatusSchema, limited).length - MAX_STATUS_BYTES;
  return excess <= 0 ? limited : { ...limited, details: status.details.map((detail) => shortenDetail(detail, excess)) };
}

/** Shortens a message that is longer than clients accept in `grpc-message`. */
export function shortenMessage(message: string): string {
  if (encodeURI(message).length <= MAX_MESSAGE_BYTES) return message;
  let [kept, bytes] = ["", encodeURI("…").length];
  for (const character of message) {
    bytes += encodeURI(character).length;
    if (bytes > MAX_MESSAGE_BYTES) break;
    kept += character;
  }
  return `${kept}…`;
}

function shortenDetail(detail: Any, excess: number): Any {
  const request = anyUnpack(detail, BadRequestSchema);
  return request === undefined ? detail : anyPack(BadRequestSchema, shortenList(request, excess));
}

function shortenList({ fieldViolations }: BadRequest, excess: number): BadRequest {
  const kept = [...fieldViolations];
  let remaining = excess + REST_BYTES;
  while (remaining > 0) {
    const last = kept.pop();
    if (last === undefined) break;
    remaining -= toBinary(BadRequest_FieldViolationSchema, last).length;
  }
  const description = `and ${fieldViolations.length - kept.length} more`;
  return create(BadRequestSchema, { fieldViolations: [...kept, { description }] });
}
