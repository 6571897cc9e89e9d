import { sql } from "kysely";
import type { Database } from "../../../src/database/database.ts";
import { until } from "../until.ts";

/** Resolves once this many sessions of the database wait for a lock. */
export async function untilBlocked(db: Database, sessions = 1): Promise<void> {
  await until(`${sessions} sessions wait for a lock`, async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows.length >= sessions;
  });
}
