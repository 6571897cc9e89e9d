import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** How users can sign in, per organization and for the instance. Frozen: change the table with a new migration. */
export const loginPolicies: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("login_policies")
      .addColumn("owner_id", "uuid", (column) => column.notNull())
      .addColumn("settings", "jsonb", (column) => column.notNull())
      .addColumn("sequence", "bigint", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("changed_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("login_policies__pkey", ["owner_id"])
      .execute();
  },
};
