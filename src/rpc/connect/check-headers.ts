import type { IncomingHttpHeaders } from "node:http";
import { invalidArgument, SignetError } from "../../errors.ts";
import { shorten } from "../json/json-syntax.ts";
import { type ProtocolName, readTimeoutMs, TIMEOUT_HEADERS } from "../timeout.ts";
import { ACCEPTED_ENCODINGS, canDecompress, type Encoding } from "./request-body.ts";

/**
 * Rejects the headers that Connect's handlers reject without details: an unknown compression, and a malformed timeout.
 *
 * @throws SignetError COMPRESSION_UNKNOWN, INVALID_ARGUMENT.
 */
export function checkHeaders(protocol: ProtocolName, headers: IncomingHttpHeaders, { compression }: Encoding): void {
  if (compression !== "identity" && !canDecompress(compression)) {
    const name = JSON.stringify(shorten(compression));
    const message = `unknown compression ${name}: supported encodings are ${ACCEPTED_ENCODINGS}`;
    throw new SignetError("COMPRESSION_UNKNOWN", message);
  }
  const name = TIMEOUT_HEADERS[protocol];
  if (name === undefined || headers[name] === undefined || readTimeoutMs(protocol, headers) !== undefined) return;
  const form =
    protocol === "connect" ? "milliseconds, at most 10 digits" : "at most 8 digits and one of H, M, S, m, u, n";
  throw invalidArgument({ field: name, description: `must be ${form}` });
}
