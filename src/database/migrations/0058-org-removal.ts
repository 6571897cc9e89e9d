import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The removal of organizations. A removed organization keeps its row until everything that belongs to it is deleted.
 * Frozen: change the tables with a new migration.
 */
export const orgRemoval: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table orgs
        add column removed_at timestamptz,
        add column removal_due_at timestamptz,
        add column erased_at timestamptz,
        add column erased_users bigint not null default 0`.execute(db);
    await sql`create index orgs__removal on orgs (removal_due_at) where removal_due_at is not null`.execute(db);

    // A call that was authorized before the removal may still run a statement. Every change of an organization increments
    // its sequence, except those of the removal.
    await sql`
      create function raise_org_removed() returns trigger language plpgsql as $$
      begin
        raise exception using errcode = 'check_violation', constraint = 'orgs__removed',
          table = 'orgs', message = 'the organization is removed';
      end $$`.execute(db);
    await sql`
      create trigger orgs__removed before update on orgs
        for each row when (old.removed_at is not null and new.sequence <> old.sequence)
        execute function raise_org_removed()`.execute(db);

    // The owner of these rows may be the instance, so they have no foreign key. The lock of the organization waits for its
    // removal, and the removal for it.
    await sql`
      create function refuse_removed_owner() returns trigger language plpgsql as $$
      declare
        removal timestamptz;
      begin
        select removed_at into removal from orgs where id = new.owner_id for key share;
        if removal is not null then
          raise exception using errcode = 'check_violation', constraint = 'orgs__removed',
            table = 'orgs', message = 'the organization is removed';
        end if;
        return new;
      end $$`.execute(db);
    for (const table of ["apps", "idps", "brandings", "branding_images"]) {
      await sql`
        create trigger ${sql.ref(`${table}__owner`)} before insert on ${sql.table(table)}
          for each row execute function refuse_removed_owner()`.execute(db);
    }
  },
};
