import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { WebhookCount } from "../telemetry/metrics.ts";

const STATES = ["waiting", "sending", "retrying"] as const;

/** The maximum number of deliveries counted. */
const MAX_COUNTED = 10_000;

/**
 * Counts the deliveries that are not sent yet, up to 10,000, by state.
 *
 * @throws SignetError if the database fails.
 */
export async function countDeliveries(db: Database, now: Date): Promise<WebhookCount[]> {
  const rows = await count(db, { now });
  return STATES.map((state) => ({ state, deliveries: rows.find((row) => row.state === state)?.deliveries ?? 0 }));
}

const count = prepareStatement<{ now: Date }, WebhookCount>(
  (_, param) => sql`
    select state, count(*)::int as deliveries
    from (
      select case when last_error is not null then 'retrying'
        when attempts > 0 and next_attempt_at > ${param("now", "timestamptz")} then 'sending' else 'waiting' end as state
      from webhook_deliveries where webhook_deliveries.state = 'waiting' limit ${sql.lit(MAX_COUNTED)}) as counted
    group by state`,
);
