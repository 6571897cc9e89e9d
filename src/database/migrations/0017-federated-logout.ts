import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether a sign-out continues at the identity provider. Frozen: change the tables with a new migration. */
export const federatedLogout: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("idps")
      .addColumn("federated_logout_enabled", "boolean", (column) => column.notNull().defaultTo(sql`false`))
      .execute();
  },
};
