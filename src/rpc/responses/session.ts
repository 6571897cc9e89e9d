import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Call } from "../../call.ts";
import type { SessionRow } from "../../users/read/list-user-sessions.ts";
import { toDetails } from "./details.ts";

/** Converts a session of a user. No event belongs to it alone, so it has no sequence. */
export function toSession(row: SessionRow, { orgId }: Call) {
  return {
    id: row.id,
    details: toDetails({ sequence: 0n, created_at: row.signed_in_at, changed_at: row.last_seen_at }, orgId),
    methods: row.methods,
    appIds: row.app_ids,
    userAgent: row.user_agent ?? "",
    lastSeen: timestampFromDate(row.last_seen_at),
  };
}
