import { sql } from "kysely";
import { createPurge } from "../database/purge.ts";

/** Personal access tokens that were revoked or have expired. */
export const ENDED_TOKENS = createPurge({
  what: "tokens",
  table: "tokens",
  key: ["id"],
  endedAt: sql`least(revoked_at, expires_at)`,
  hasEnded: sql`(revoked_at is not null or expires_at is not null)`,
});
