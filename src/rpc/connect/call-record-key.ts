import { createContextKey } from "@connectrpc/connect";
import type { CallRecord } from "../call-record.ts";

/** Under which a call's record travels through Connect. */
export const callRecordKey = createContextKey<CallRecord>(
  { requestId: "", form: "connect", method: "", startedAt: 0 },
  { description: "call record" },
);
