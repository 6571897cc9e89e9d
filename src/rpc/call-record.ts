import type { Logger } from "pino";
import type { Principal } from "../call.ts";
import { type ErrorCode, SignetError } from "../errors.ts";
import { logFailure } from "../log-failure.ts";

/** The form in which a caller speaks. */
export type Form = "grpc" | "grpc-web" | "connect" | "rest";

/** What is known of one call: filled on its way through the server, and what the log line is made of. */
export interface CallRecord {
  readonly requestId: string;
  readonly form: Form;
  /** Such as `signet.v1.ManagementService/ImportHumanUser`. */
  readonly method: string;
  /** In milliseconds, as `performance.now` tells it. */
  readonly startedAt: number;
  /** Set once the caller is known and has the permission. */
  principal?: Principal;
  /** Set when the call failed with an error of Signet. */
  failure?: SignetError;
}

/** Writes the line of a call that has ended, with the name of its code. */
export function logCall(log: Logger, record: CallRecord, code: string): void {
  const { requestId, method, form, startedAt, failure, principal } = record;
  const ms = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
  log.info({ requestId, method, form, code, reason: failure?.reason, ms, orgId: principal?.orgId }, "call");
}

/** Codes of what is no fault of the caller. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(["internal", "unavailable", "aborted"]);

/**
 * Notes that a call failed. What the caller is not told goes to the log.
 *
 * @returns What was thrown where Signet threw it, an internal error otherwise.
 */
export function noteFailure(log: Logger, record: CallRecord, thrown: unknown): SignetError {
  const failure =
    thrown instanceof SignetError ? thrown : new SignetError("INTERNAL", "internal error", { cause: thrown });
  record.failure = failure;
  if (failure.cause !== undefined && FAULTS.has(failure.code)) {
    logFailure(log, "error", { requestId: record.requestId, err: failure.cause }, failure.message);
  }
  return failure;
}
