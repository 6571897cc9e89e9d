import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Keeps an active owner of the instance in an active organization. Two statements that each deactivate the organization
 * of an owner would both find the other owner in their snapshots. The trigger locks the instance first, and then sees
 * what others have committed. It also runs for an organization that is removed. Frozen: change it with a new migration.
 */
export const lastActiveOwner: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create function keep_last_active_owner() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and not exists (
          select from members where user_org_id = old.id and role = 'INSTANCE_OWNER'
        ) then
          return null;
        end if;
        perform from instance for no key update;
        if not exists (
          select from members
          where role = 'INSTANCE_OWNER'
            and (select state from users where users.org_id = user_org_id and users.id = user_id) = 'active'
            and (select state from orgs where orgs.id = user_org_id) = 'active'
        ) then
          raise exception using errcode = 'check_violation', constraint = 'orgs__last_owner',
            table = 'orgs', message = 'no other organization has an active owner of the instance';
        end if;
        return null;
      end $$`.execute(db);
    await sql`
      create trigger orgs__last_owner after update of state on orgs
        for each row when (old.state = 'active' and new.state <> 'active') execute function keep_last_active_owner()`.execute(
      db,
    );
    await sql`
      create trigger orgs__last_owner_removed after delete on orgs
        for each row execute function keep_last_active_owner()`.execute(db);
  },
};
