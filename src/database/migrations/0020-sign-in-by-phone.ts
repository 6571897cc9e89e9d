import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * An index for finding the user of a verified phone number. Frozen: change it with a new migration.
 *
 * Addresses have one since 0004.
 */
export const signInByPhone: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create index users__by_phone on users (org_id, (phone collate "C"))
      where phone_verified and state = 'active'`.execute(db);
  },
};
