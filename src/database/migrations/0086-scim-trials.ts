import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Own attributes for links, and trials of SCIM connections. Frozen: change the table with a new migration. */
export const scimTrials: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table scim_connections
        add column link_path text,
        add column is_trial boolean not null default false`.execute(db);
  },
};
