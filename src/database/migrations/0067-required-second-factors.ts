import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Users who must set up a second factor. Frozen: change the table with a new migration. */
export const requiredSecondFactors: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table users add column second_factor_required boolean not null default false`.execute(db);
  },
};
