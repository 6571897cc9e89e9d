import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The order in which messages are claimed. The previous version uses `messages__due`. Frozen: change the table with a new
 * migration.
 */
export const messageTurns: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table messages add column by_import boolean not null default false`.execute(db);
    // Partial indexes: their size depends on the messages that wait, not on those that were sent.
    await sql`
      create index messages__first_attempts on messages (channel, org_id, by_import, next_attempt_at)
      where next_attempt_at is not null and attempts = 0`.execute(db);
    await sql`
      create index messages__retries on messages (channel, by_import, next_attempt_at)
      where next_attempt_at is not null and attempts > 0`.execute(db);
  },
};
