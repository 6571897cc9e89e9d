import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The branding of the instance and of organizations. Frozen: change the tables with a new migration. */
export const branding: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("brandings")
      .addColumn("owner_id", "uuid", (column) => column.notNull())
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("sequence", "bigint", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("changed_at", "timestamptz", (column) => column.notNull())
      .addColumn("draft", "jsonb")
      .addColumn("active", "jsonb")
      .addColumn("texts", "jsonb", (column) => column.notNull().defaultTo(sql`'{}'`))
      .addPrimaryKeyConstraint("brandings__pkey", ["owner_id"])
      .execute();

    await db.schema
      .createTable("branding_images")
      .addColumn("owner_id", "uuid", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("data", "bytea", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("branding_images__pkey", ["owner_id", "hash"])
      .execute();
    // PNG files are compressed already.
    await sql`alter table branding_images alter column data set storage external`.execute(db);
    await db.schema.createIndex("branding_images__hash").on("branding_images").column("hash").execute();
  },
};
