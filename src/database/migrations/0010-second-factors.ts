import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** One-time codes, and notices without a code. Frozen: change the tables with a new migration. */
export const secondFactors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("users")
      .addColumn("otp_last_step", "bigint")
      .addColumn("passkey_declined_at", "timestamptz")
      .execute();

    await db.schema
      .createTable("recovery_codes")
      .addColumn("org_id", "uuid", (column) => column.notNull())
      .addColumn("user_id", "uuid", (column) => column.notNull())
      .addColumn("hash", "bytea", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("recovery_codes__pkey", ["org_id", "user_id", "hash"])
      .addForeignKeyConstraint("recovery_codes__user", ["org_id", "user_id"], "users", ["org_id", "id"], (constraint) =>
        constraint.onDelete("cascade"),
      )
      .execute();

    // A notice of a change that needed no code has none. Removing a user deletes these by the index.
    await db.schema
      .alterTable("messages")
      .alterColumn("code_id", (column) => column.dropNotNull())
      .execute();
    await db.schema
      .alterTable("messages")
      .addCheckConstraint("messages__code_or_notice", sql`code_id is not null or notice is not null`)
      .execute();
    await sql`create index messages__without_code on messages (org_id, user_id) where code_id is null`.execute(db);
  },
};
