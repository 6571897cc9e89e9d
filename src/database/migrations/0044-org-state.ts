import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The states of organizations. Frozen: change the table with a new migration. */
export const orgState: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table orgs add column state text not null default 'active'
        constraint orgs__state check (state in ('active', 'inactive'))`.execute(db);
  },
};
