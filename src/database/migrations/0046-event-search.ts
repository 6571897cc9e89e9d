import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The order in which the events of an owner or of an object are listed. Frozen. */
export const eventSearch: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index events__owner_position on events (owner_id, position)`.execute(db);
    await sql`create index events__aggregate_position on events (aggregate_id, position)`.execute(db);
  },
};
