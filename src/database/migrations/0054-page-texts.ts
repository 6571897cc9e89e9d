import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Adds the replaced texts of pages to brandings: as last edited, and those that pages use. Frozen. */
export const pageTexts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("brandings")
      .addColumn("page_texts", "jsonb", (column) => column.notNull().defaultTo(sql`'{}'`))
      .addColumn("active_page_texts", "jsonb", (column) => column.notNull().defaultTo(sql`'{}'`))
      .execute();
  },
};
