import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Whether an application may ask for access tokens that call the RPCs. Frozen: change the tables with a new migration.
 *
 * Existing applications may not, because nobody has decided that they may.
 */
export const apiAccess: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("apps")
      .addColumn("api_access", "boolean", (column) => column.notNull().defaultTo(sql`false`))
      .execute();
  },
};
