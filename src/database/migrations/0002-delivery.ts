import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Message delivery, and the pages behind links. Frozen: change the tables with a new migration. */
export const delivery: Migration = {
  async up(db: Kysely<unknown>) {
    // `recipient` is the address or number that a code verifies, which may have changed since. `sequence`, the user's
    // sequence when the code was issued, determines the user's latest code of a kind.
    await db.schema
      .alterTable("codes")
      .addColumn("recipient", "text")
      .addColumn("sequence", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("attempts", "smallint", (column) => column.notNull().defaultTo(0))
      .addColumn("challenge", "text")
      .execute();
    await sql`
      update codes set recipient = messages.recipient from messages
      where messages.org_id = codes.org_id and messages.code_id = codes.id`.execute(db);
    await sql`
      update codes set sequence = numbered.number from (
        select org_id, id, row_number() over (partition by org_id, user_id, kind order by created_at, id) as number from codes
      ) as numbered where numbered.org_id = codes.org_id and numbered.id = codes.id`.execute(db);
    await db.schema.createIndex("codes__of_user").on("codes").columns(["org_id", "user_id", "kind"]).execute();

    await db.schema
      .alterTable("messages")
      .addColumn("state", "text", (column) => column.notNull().defaultTo("waiting"))
      .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("next_attempt_at", "timestamptz")
      .addColumn("ended_at", "timestamptz")
      .addColumn("last_error", "text")
      .alterColumn("content", (column) => column.dropNotNull())
      .alterColumn("content_key", (column) => column.dropNotNull())
      .execute();
    await sql`update messages set next_attempt_at = created_at`.execute(db);
    await db.schema
      .alterTable("messages")
      .addCheckConstraint("messages__state", sql`state in ('waiting', 'sent', 'failed', 'expired')`)
      .execute();
    await db.schema
      .alterTable("messages")
      .addCheckConstraint("messages__waits", sql`(state = 'waiting') = (next_attempt_at is not null)`)
      .execute();
    await db.schema
      .alterTable("messages")
      .addCheckConstraint("messages__content", sql`(content is null) = (content_key is null)`)
      .execute();
    // A partial index: its size depends on the messages that wait, not on those that were sent.
    await db.schema
      .createIndex("messages__due")
      .on("messages")
      .columns(["channel", "next_attempt_at"])
      .where(sql.ref("next_attempt_at"), "is not", null)
      .execute();
    await db.schema.createIndex("messages__of_code").on("messages").columns(["org_id", "code_id"]).execute();

    await db.schema
      .createTable("passkeys")
      .addColumn("org_id", "uuid", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("user_id", "uuid", (column) => column.notNull())
      .addColumn("public_key", "bytea", (column) => column.notNull())
      .addColumn("counter", "bigint", (column) => column.notNull())
      .addColumn("transports", sql`text[]`, (column) => column.notNull())
      .addColumn("aaguid", "uuid", (column) => column.notNull())
      .addColumn("device_type", "text", (column) => column.notNull())
      .addColumn("backed_up", "boolean", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("passkeys__pkey", ["org_id", "id"])
      // A browser identifies a credential by its id only.
      .addUniqueConstraint("passkeys__id", ["id"])
      .addForeignKeyConstraint("passkeys__user", ["org_id", "user_id"], "users", ["org_id", "id"])
      .execute();
    await db.schema.createIndex("passkeys__of_user").on("passkeys").columns(["org_id", "user_id"]).execute();

    // The table of rate-limiter-flexible. `expire` is in milliseconds since the epoch.
    await db.schema
      .createTable("rate_limits")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("points", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("expire", "bigint")
      .execute();
  },
};
