import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Changing and listing identity providers and members. Frozen: change the tables with a new migration. */
export const idpsAndMembers: Migration = {
  async up(db: Kysely<unknown>) {
    // Removing a provider removes its links, also those that are added at the same time.
    await db.schema.alterTable("user_idp_links").dropConstraint("user_idp_links__idp").execute();
    await db.schema
      .alterTable("user_idp_links")
      .addForeignKeyConstraint("user_idp_links__idp", ["idp_owner_id", "idp_id"], "idps", ["owner_id", "id"])
      .onDelete("cascade")
      .execute();
    await db.schema
      .createIndex("user_idp_links__of_idp")
      .on("user_idp_links")
      .columns(["idp_owner_id", "idp_id"])
      .execute();
    await sql`create index idps__by_creation on idps (owner_id, created_at, id)`.execute(db);
    await sql`
      create index idps__by_name on idps (owner_id, replace(lower(name), 'ς', 'σ') collate "C", id)`.execute(db);

    // The last event of a membership, which is an event of the scope. All rows of a user in a scope have the same
    // values.
    await db.schema
      .alterTable("members")
      .addColumn("sequence", "bigint")
      .addColumn("changed_at", "timestamptz")
      .execute();
    await sql`
      update members set created_at = whole.since, changed_at = whole.until, sequence = whole.sequence from (
        select members.user_id, members.scope_id, min(members.created_at) as since, max(members.created_at) as until,
          coalesce(max(events.sequence), 1) as sequence
        from members left join events on events.owner_id = members.scope_id and events.aggregate_id = members.scope_id
          and events.type in ('instance.member.added', 'org.member.added')
          and events.payload ->> 'userId' = members.user_id::text
        group by members.user_id, members.scope_id
      ) as whole
      where members.user_id = whole.user_id and members.scope_id = whole.scope_id`.execute(db);
    await db.schema
      .alterTable("members")
      .alterColumn("sequence", (column) => column.setNotNull())
      .alterColumn("changed_at", (column) => column.setNotNull())
      .execute();
    await db.schema
      .createIndex("members__of_scope")
      .on("members")
      .columns(["scope_id", "created_at", "user_id"])
      .execute();
  },
};
