import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Applications, and what the OpenID provider stores. Frozen: change the tables with a new migration. */
export const signIn: Migration = {
  async up(db: Kysely<unknown>) {
    // Tokens name a user by its id alone (the claim `sub`).
    await db.schema.createIndex("users__id").unique().on("users").column("id").execute();

    await aggregate(db, "apps")
      .addColumn("owner_id", "uuid", (column) => column.notNull())
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull().defaultTo("active"))
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("auth_method", "text", (column) => column.notNull())
      .addColumn("secret_hash", "bytea")
      .addColumn("grant_types", sql`text[]`, (column) => column.notNull())
      .addColumn("redirect_uris", sql`text[]`, (column) => column.notNull())
      .addColumn("post_logout_redirect_uris", sql`text[]`, (column) => column.notNull())
      .addColumn("additional_origins", sql`text[]`, (column) => column.notNull())
      .addColumn("back_channel_logout_uri", "text")
      .addColumn("access_token_type", "text", (column) => column.notNull())
      .addColumn("dev_mode", "boolean", (column) => column.notNull())
      .addPrimaryKeyConstraint("apps__pkey", ["owner_id", "id"])
      .addUniqueConstraint("apps__id", ["id"])
      .addCheckConstraint("apps__state", sql`state in ('active', 'inactive')`)
      .addCheckConstraint("apps__type", sql`type in ('web', 'spa', 'native')`)
      .addCheckConstraint("apps__auth_method", sql`auth_method in ('basic', 'post', 'none')`)
      .addCheckConstraint("apps__secret", sql`(auth_method = 'none') = (secret_hash is null)`)
      .addCheckConstraint("apps__access_token_type", sql`access_token_type in ('opaque', 'jwt')`)
      .execute();

    await db.schema
      .createTable("oidc_artifacts")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("key", "bytea", (column) => column.notNull())
      .addColumn("payload", "jsonb", (column) => column.notNull())
      .addColumn("user_id", "uuid")
      .addColumn("client_id", "text")
      .addColumn("grant_key", "bytea")
      .addColumn("session_uid", "text")
      .addColumn("user_code_key", "bytea")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .addColumn("consumed_at", "timestamptz")
      .addPrimaryKeyConstraint("oidc_artifacts__pkey", ["kind", "key"])
      .execute();
    for (const column of ["user_id", "client_id", "grant_key", "session_uid", "user_code_key"]) {
      await db.schema
        .createIndex(`oidc_artifacts__${column}`)
        .on("oidc_artifacts")
        .column(column)
        .where(sql.ref(column), "is not", null)
        .execute();
    }
    await db.schema.createIndex("oidc_artifacts__expires_at").on("oidc_artifacts").column("expires_at").execute();

    await db.schema
      .createTable("signing_keys")
      // The instance, so that the key is rotated like other encrypted columns.
      .addColumn("instance_id", "uuid", (column) => column.notNull())
      .addColumn("id", "uuid", (column) => column.notNull())
      .addColumn("algorithm", "text", (column) => column.notNull())
      .addColumn("private_jwk", "bytea", (column) => column.notNull())
      .addColumn("private_jwk_key", "text", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("signs_from", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("signing_keys__pkey", ["instance_id", "id"])
      .addForeignKeyConstraint("signing_keys__private_jwk_key", ["private_jwk_key"], "master_keys", ["id"])
      .addCheckConstraint("signing_keys__algorithm", sql`algorithm in ('ES256', 'RS256')`)
      .execute();
  },
};

function aggregate(db: Kysely<unknown>, table: string): CreateTableBuilder<string, never> {
  return db.schema
    .createTable(table)
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("changed_at", "timestamptz", (column) => column.notNull()) as CreateTableBuilder<string, never>;
}
