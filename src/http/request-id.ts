import { randomBytes } from "node:crypto";

const processId = randomBytes(8).toString("base64url");
let requests = 0;

/**
 * Creates an id for the log and the caller, unique among all processes. An id from the caller could be that of another
 * request.
 */
export function createRequestId(): string {
  requests += 1;
  return `${processId}-${requests.toString(36)}`;
}
