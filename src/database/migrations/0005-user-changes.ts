import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Codes for new addresses, removing users, and retention. Frozen: change the tables with a new migration. */
export const userChanges: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("codes").dropConstraint("codes__kind").execute();
    await db.schema
      .alterTable("codes")
      .addCheckConstraint("codes__kind", sql`kind in ('initialization', 'email', 'phone', 'passkey')`)
      .execute();

    // Removing a user removes everything that belongs to it, also what is added at the same time. A message belongs to
    // its code.
    await db.schema.alterTable("messages").dropConstraint("messages__user").execute();
    await cascade(db, "messages", "messages__code", ["org_id", "code_id"], "codes");
    await cascade(db, "codes", "codes__user", ["org_id", "user_id"], "users");
    await cascade(db, "passkeys", "passkeys__user", ["org_id", "user_id"], "users");
    await cascade(db, "tokens", "tokens__user", ["org_id", "user_id"], "users");
    await cascade(db, "members", "members__user", ["user_org_id", "user_id"], "users");
    await cascade(db, "user_idp_links", "user_idp_links__user", ["org_id", "user_id"], "users");
    await db.schema.createIndex("tokens__of_user").on("tokens").columns(["org_id", "user_id"]).execute();

    // Partial indexes: their size depends on what has ended, and what has not ended costs nothing.
    await sql`create index messages__ended on messages (ended_at) where ended_at is not null`.execute(db);
    await sql`
      create index codes__ended on codes (least(used_at, expires_at))
      where used_at is not null or expires_at is not null`.execute(db);
    await sql`
      create index tokens__ended on tokens (least(revoked_at, expires_at))
      where revoked_at is not null or expires_at is not null`.execute(db);
  },
};

async function cascade(
  db: Kysely<unknown>,
  table: string,
  name: string,
  columns: string[],
  target: "users" | "codes",
): Promise<void> {
  await db.schema.alterTable(table).dropConstraint(name).execute();
  await db.schema
    .alterTable(table)
    .addForeignKeyConstraint(name, columns, target, ["org_id", "id"])
    .onDelete("cascade")
    .execute();
}
