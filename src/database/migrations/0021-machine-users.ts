import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What a machine user is for, and when its tokens were last used. Frozen: change the tables with a new migration. */
export const machineUsers: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table users add column description text`.execute(db);
    await sql`alter table tokens add column last_used_at timestamptz`.execute(db);
  },
};
