import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Signing in with other OpenID providers. Frozen: change the tables with a new migration. */
export const externalSignIn: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("idp_attempts")
      .addColumn("sign_in_hash", "bytea", (column) => column.notNull())
      .addColumn("state_hash", "bytea", (column) => column.notNull())
      .addColumn("browser_hash", "bytea", (column) => column.notNull())
      .addColumn("idp_owner_id", "uuid", (column) => column.notNull())
      .addColumn("idp_id", "uuid", (column) => column.notNull())
      .addColumn("remember", "boolean", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      // One attempt of a sign-in at a time, so that nobody can add any number of rows.
      .addPrimaryKeyConstraint("idp_attempts__pkey", ["sign_in_hash"])
      .addForeignKeyConstraint("idp_attempts__idp", ["idp_owner_id", "idp_id"], "idps", ["owner_id", "id"], (key) =>
        key.onDelete("cascade"),
      )
      .execute();
    await db.schema.createIndex("idp_attempts__expires_at").on("idp_attempts").column("expires_at").execute();
    await db.schema
      .createIndex("idp_attempts__of_idp")
      .on("idp_attempts")
      .columns(["idp_owner_id", "idp_id"])
      .execute();
  },
};
