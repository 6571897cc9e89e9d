import { sql } from "kysely";
import { createPurge } from "../database/purge.ts";

/** Deliveries that have ended, and those of webhooks that were removed. */
export const ENDED_DELIVERIES = createPurge({
  what: "webhook deliveries",
  table: "webhook_deliveries",
  key: ["owner_id", "id"],
  endedAt: sql`created_at`,
  hasEnded: sql`(state <> 'waiting' or not exists (
    select from webhooks
    where webhooks.owner_id = webhook_deliveries.owner_id and webhooks.id = webhook_deliveries.webhook_id))`,
});
