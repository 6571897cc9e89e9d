import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The user handles of imported passkeys. Frozen: change the table with a new migration. */
export const importedPasskeys: Migration = {
  async up(db: Kysely<unknown>) {
    // Null: the id of the user.
    await sql`alter table passkeys add column user_handle bytea`.execute(db);
  },
};
