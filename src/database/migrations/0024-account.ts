import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the account page shows and changes. Frozen: change the tables with a new migration. */
export const account: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("passkeys").addColumn("last_used_at", "timestamptz").execute();
    await db.schema.alterTable("codes").dropConstraint("codes__kind").execute();
    await db.schema
      .alterTable("codes")
      .addCheckConstraint(
        "codes__kind",
        sql`kind in ('initialization', 'email', 'email-change', 'phone', 'passkey', 'password')`,
      )
      .execute();
  },
};
