import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Keeps the last owner of the instance. Removed roles are checked by a trigger, because a role can also end with its
 * user or organization: two statements that each remove another owner would both find one left in their snapshots. The
 * trigger locks the instance first, and then sees what others have committed. Frozen: change it with a new migration.
 */
export const lastOwner: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create function keep_last_owner() returns trigger language plpgsql as $$
      begin
        perform from instance where id = old.scope_id for no key update;
        if found and not exists (
          select from members where scope_id = old.scope_id and role = 'INSTANCE_OWNER'
        ) then
          raise exception using errcode = 'check_violation', constraint = 'members__last_owner',
            table = 'members', message = 'the instance has no other owner';
        end if;
        return null;
      end $$`.execute(db);
    await sql`
      create trigger members__last_owner after delete on members
        for each row when (old.role = 'INSTANCE_OWNER') execute function keep_last_owner()`.execute(db);
  },
};
