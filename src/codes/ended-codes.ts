import { sql } from "kysely";
import { createPurge } from "../database/purge.ts";

/**
 * Codes that were used or have expired. The limits on attempts and messages need only the codes of the last 24 hours.
 */
export const ENDED_CODES = createPurge({
  what: "codes",
  table: "codes",
  key: ["org_id", "id"],
  endedAt: sql`least(used_at, expires_at)`,
  hasEnded: sql`(used_at is not null or expires_at is not null)`,
});
