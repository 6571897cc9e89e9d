import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Notices of more changes. Frozen: change the tables with a new migration. */
export const notices: Migration = {
  async up(db: Kysely<unknown>) {
    // The texts list what a notice can report.
    await sql`alter table messages drop constraint messages__notice`.execute(db);
    // Counts the recent notices of a user.
    await sql`
      create index messages__notices on messages (org_id, user_id, notice, created_at)
      where notice is not null`.execute(db);
  },
};
