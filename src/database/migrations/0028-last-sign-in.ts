import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** When a user last signed in; null for users who have not since this migration. Frozen. */
export const lastSignIn: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table users add column last_signed_in_at timestamptz`.execute(db);
  },
};
