import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** States of users and identity providers. Frozen: change the tables with a new migration. */
export const states: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("users")
      .addColumn("state", "text", (column) => column.notNull().defaultTo("active"))
      .addColumn("initialized", "boolean", (column) => column.notNull().defaultTo(true))
      .addColumn("password_changed_at", "timestamptz")
      .execute();
    await db.schema
      .alterTable("users")
      .addCheckConstraint("users__state", sql`state in ('active', 'inactive', 'locked')`)
      .execute();
    await sql`
      update users set initialized = false
      where exists (
        select from codes
        where codes.org_id = users.org_id and codes.user_id = users.id and codes.kind = 'initialization'
        having bool_and(codes.used_at is null)
      )`.execute(db);
    await sql`
      update users set password_changed_at = (
        select max(events.created_at) from events
        where events.owner_id = users.org_id and events.aggregate_id = users.id
          and events.type in ('user.human.added', 'user.human.password.changed')
      ) where password_hash is not null`.execute(db);

    await db.schema
      .alterTable("idps")
      .addColumn("state", "text", (column) => column.notNull().defaultTo("active"))
      .execute();
    await db.schema
      .alterTable("idps")
      .addCheckConstraint("idps__state", sql`state in ('active', 'inactive')`)
      .execute();

    // Shown to the user, to distinguish passkeys.
    await db.schema
      .alterTable("passkeys")
      .addColumn("name", "text", (column) => column.notNull().defaultTo(""))
      .execute();
  },
};
