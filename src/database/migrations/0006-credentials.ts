import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Codes that reset passwords, messages that carry no code, and answers to repeat. Frozen: change the tables with a new
 * migration.
 */
export const credentials: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("codes").dropConstraint("codes__kind").execute();
    await db.schema
      .alterTable("codes")
      .addCheckConstraint("codes__kind", sql`kind in ('initialization', 'email', 'phone', 'passkey', 'password')`)
      .execute();

    await db.schema.alterTable("messages").addColumn("notice", "text").execute();
    await db.schema
      .alterTable("messages")
      .addCheckConstraint("messages__notice", sql`notice in ('password-changed')`)
      .execute();

    await db.schema
      .createTable("idempotency_keys")
      .addColumn("caller_id", "uuid", (column) => column.notNull())
      .addColumn("key_hash", "bytea", (column) => column.notNull())
      .addColumn("request_mac", "bytea", (column) => column.notNull())
      .addColumn("answer", "bytea")
      .addColumn("master_key", "text", (column) => column.notNull())
      .addColumn("sequence", "bigint", (column) => column.notNull())
      .addColumn("creation_date", "timestamptz", (column) => column.notNull())
      .addColumn("change_date", "timestamptz", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("idempotency_keys__pkey", ["caller_id", "key_hash"])
      .addForeignKeyConstraint("idempotency_keys__master_key", ["master_key"], "master_keys", ["id"])
      .execute();
    await db.schema.createIndex("idempotency_keys__expiry").on("idempotency_keys").column("expires_at").execute();
  },
};
