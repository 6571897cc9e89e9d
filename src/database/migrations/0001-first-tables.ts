import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The initial tables. Frozen: change the tables with a new migration. */
export const firstTables: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("master_keys")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("master_keys__pkey", ["id"])
      .execute();

    await aggregate(db, "instance")
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("singleton", "boolean", (column) => column.notNull().defaultTo(true))
      .addPrimaryKeyConstraint("instance__pkey", ["id"])
      .addUniqueConstraint("instance__one", ["singleton"])
      .addCheckConstraint("instance__singleton", sql`singleton`)
      .execute();

    await aggregate(db, "orgs")
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("name_key", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("orgs__pkey", ["id"])
      .addUniqueConstraint("orgs__name", ["name_key"])
      .execute();

    await aggregate(db, "users")
      .addColumn("org_id", "uuid", (column) => column.notNull())
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("user_name", "text", (column) => column.notNull())
      .addColumn("user_name_key", "text", (column) => column.notNull())
      .addColumn("first_name", "text")
      .addColumn("last_name", "text")
      .addColumn("nick_name", "text")
      .addColumn("display_name", "text")
      .addColumn("preferred_language", "text")
      .addColumn("gender", "smallint")
      .addColumn("email", "text")
      .addColumn("email_verified", "boolean", (column) => column.notNull().defaultTo(false))
      .addColumn("phone", "text")
      .addColumn("phone_verified", "boolean", (column) => column.notNull().defaultTo(false))
      .addColumn("password_hash", "text")
      .addColumn("password_change_required", "boolean", (column) => column.notNull().defaultTo(false))
      .addColumn("otp_code", "bytea")
      .addColumn("otp_code_key", "text")
      .addPrimaryKeyConstraint("users__pkey", ["org_id", "id"])
      .addUniqueConstraint("users__user_name", ["org_id", "user_name_key"])
      .addForeignKeyConstraint("users__org", ["org_id"], "orgs", ["id"])
      .addForeignKeyConstraint("users__otp_code_key", ["otp_code_key"], "master_keys", ["id"])
      .addCheckConstraint("users__kind", sql`kind in ('human', 'machine')`)
      .addCheckConstraint(
        "users__human",
        sql`kind <> 'human' or (first_name is not null and last_name is not null and display_name is not null and gender is not null and email is not null)`,
      )
      .addCheckConstraint("users__otp_code", sql`(otp_code is null) = (otp_code_key is null)`)
      .execute();

    await aggregate(db, "idps")
      .addColumn("owner_id", "uuid", (column) => column.notNull())
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("styling_type", "smallint", (column) => column.notNull())
      .addColumn("client_id", "text", (column) => column.notNull())
      .addColumn("client_secret", "bytea", (column) => column.notNull())
      .addColumn("client_secret_key", "text", (column) => column.notNull())
      .addColumn("issuer", "text", (column) => column.notNull())
      .addColumn("scopes", sql`text[]`, (column) => column.notNull())
      .addColumn("display_name_mapping", "smallint", (column) => column.notNull())
      .addColumn("username_mapping", "smallint", (column) => column.notNull())
      .addColumn("auto_register", "boolean", (column) => column.notNull())
      .addPrimaryKeyConstraint("idps__pkey", ["owner_id", "id"])
      .addForeignKeyConstraint("idps__client_secret_key", ["client_secret_key"], "master_keys", ["id"])
      .execute();

    await db.schema
      .createTable("user_idp_links")
      .addColumn("org_id", "uuid", (column) => column.notNull())
      .addColumn("idp_id", "uuid", (column) => column.notNull())
      .addColumn("external_user_id", "text", (column) => column.notNull())
      .addColumn("idp_owner_id", "uuid", (column) => column.notNull())
      .addColumn("user_id", "uuid", (column) => column.notNull())
      .addColumn("display_name", "text", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("user_idp_links__pkey", ["org_id", "idp_id", "external_user_id"])
      .addForeignKeyConstraint("user_idp_links__user", ["org_id", "user_id"], "users", ["org_id", "id"])
      .addForeignKeyConstraint("user_idp_links__idp", ["idp_owner_id", "idp_id"], "idps", ["owner_id", "id"])
      .execute();
    await db.schema
      .createIndex("user_idp_links__of_user")
      .on("user_idp_links")
      .columns(["org_id", "user_id"])
      .execute();

    await db.schema
      .createTable("members")
      .addColumn("user_org_id", "uuid", (column) => column.notNull())
      .addColumn("user_id", "uuid", (column) => column.notNull())
      .addColumn("scope_id", "uuid", (column) => column.notNull())
      .addColumn("role", "text", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("members__pkey", ["user_org_id", "user_id", "scope_id", "role"])
      .addForeignKeyConstraint("members__user", ["user_org_id", "user_id"], "users", ["org_id", "id"])
      .execute();

    await db.schema
      .createTable("tokens")
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("org_id", "uuid", (column) => column.notNull())
      .addColumn("user_id", "uuid", (column) => column.notNull())
      .addColumn("hash", "bytea", (column) => column.notNull())
      .addColumn("last_four", "text", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz")
      .addColumn("revoked_at", "timestamptz")
      .addPrimaryKeyConstraint("tokens__pkey", ["id"])
      .addUniqueConstraint("tokens__hash", ["hash"])
      .addForeignKeyConstraint("tokens__user", ["org_id", "user_id"], "users", ["org_id", "id"])
      .execute();

    await db.schema
      .createTable("codes")
      .addColumn("org_id", "uuid", (column) => column.notNull())
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("user_id", "uuid", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("secret_hash", "bytea", (column) => column.notNull())
      .addColumn("digits_hash", "bytea")
      .addColumn("digits_key", "text")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz")
      .addColumn("used_at", "timestamptz")
      .addPrimaryKeyConstraint("codes__pkey", ["org_id", "id"])
      // A link contains only the code's id.
      .addUniqueConstraint("codes__id", ["id"])
      .addForeignKeyConstraint("codes__user", ["org_id", "user_id"], "users", ["org_id", "id"])
      .addForeignKeyConstraint("codes__digits_key", ["digits_key"], "master_keys", ["id"])
      .addCheckConstraint("codes__kind", sql`kind in ('initialization', 'phone', 'passkey')`)
      .addCheckConstraint("codes__digits", sql`(digits_hash is null) = (digits_key is null)`)
      .execute();

    await db.schema
      .createTable("messages")
      .addColumn("org_id", "uuid", (column) => column.notNull())
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("user_id", "uuid", (column) => column.notNull())
      .addColumn("code_id", "uuid", (column) => column.notNull())
      .addColumn("channel", "text", (column) => column.notNull())
      .addColumn("recipient", "text", (column) => column.notNull())
      .addColumn("content", "bytea", (column) => column.notNull())
      .addColumn("content_key", "text", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("messages__pkey", ["org_id", "id"])
      .addForeignKeyConstraint("messages__user", ["org_id", "user_id"], "users", ["org_id", "id"])
      .addForeignKeyConstraint("messages__code", ["org_id", "code_id"], "codes", ["org_id", "id"])
      .addForeignKeyConstraint("messages__content_key", ["content_key"], "master_keys", ["id"])
      .addCheckConstraint("messages__channel", sql`channel in ('email', 'sms')`)
      .execute();

    await db.schema
      .createTable("events")
      .addColumn("owner_id", "uuid", (column) => column.notNull())
      .addColumn("aggregate_id", "uuid", (column) => column.notNull())
      .addColumn("sequence", "bigint", (column) => column.notNull())
      .addColumn("position", "bigint", (column) => column.notNull().generatedAlwaysAsIdentity())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("editor_id", "uuid")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("payload", "jsonb")
      .addPrimaryKeyConstraint("events__pkey", ["owner_id", "aggregate_id", "sequence"])
      .addUniqueConstraint("events__position", ["position"])
      .execute();
  },
};

/** A table of objects with events. Its columns hold the creation time, and sequence and time of the last event. */
function aggregate<T extends string>(
  db: Kysely<unknown>,
  table: T,
): CreateTableBuilder<T, "sequence" | "created_at" | "changed_at"> {
  return db.schema
    .createTable(table)
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("changed_at", "timestamptz", (column) => column.notNull());
}
