import { createContextKey } from "@connectrpc/connect";
import type { Call } from "../call.ts";
import type { SignetError } from "../errors.ts";

/** The form in which a caller speaks. */
export type Form = "grpc" | "grpc-web" | "connect" | "rest";

/** What is known of one call: filled on its way through the server, and what the log line is made of. */
export interface CallRecord {
  readonly requestId: string;
  readonly form: Form;
  /** Such as `signet.v1.ManagementService/ImportHumanUser`. */
  readonly method: string;
  readonly startedAt: number;
  /** Set once the caller is known and has the permission. */
  call?: Omit<Call, "signal">;
  /** Set when the call failed with an error of Signet. */
  failure?: SignetError;
}

/** Under which a call's record travels through Connect. */
export const callRecordKey = createContextKey<CallRecord | undefined>(undefined, { description: "call record" });
