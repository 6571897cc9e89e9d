import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The order in which messages in a state are listed. Few messages are not sent. Frozen. */
export const unsentMessages: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index messages__unsent on messages (org_id, state, id) where state <> 'sent'`.execute(db);
  },
};
