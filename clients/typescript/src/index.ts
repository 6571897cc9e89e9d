/** The common part of the clients for Node and browsers. */
export { Code, ConnectError } from "@connectrpc/connect";
export type { SignetClient } from "./clients.ts";
export { type ErrorDetails, type FieldViolation, readError } from "./error-details.ts";
export type { SignetOptions, TokenProvider } from "./options.ts";
export { Reason } from "./reasons.ts";
export type { RetryOptions } from "./retry.ts";
