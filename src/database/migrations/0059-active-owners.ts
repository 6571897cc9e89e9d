import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Keeps an active owner of the instance also when users are deactivated or locked: two owners could otherwise lock each
 * other at once. As in 0043 and 0049, the triggers lock the instance first, and then see what others have committed. A
 * removed role must leave an active owner too. Frozen: change it with a new migration.
 */
export const activeOwners: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create function has_active_owner() returns boolean language plpgsql volatile as $$
      begin
        return exists (
          select from members
          where role = 'INSTANCE_OWNER'
            and (select state from users where users.org_id = user_org_id and users.id = user_id) = 'active'
            and (select state from orgs where orgs.id = user_org_id) = 'active');
      end $$`.execute(db);
    await sql`
      create or replace function keep_last_owner() returns trigger language plpgsql as $$
      begin
        perform from instance where id = old.scope_id for no key update;
        if found and not has_active_owner() then
          raise exception using errcode = 'check_violation', constraint = 'members__last_owner',
            table = 'members', message = 'the instance has no other active owner';
        end if;
        return null;
      end $$`.execute(db);
    await sql`
      create function keep_last_active_user() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from members where user_org_id = old.org_id and user_id = old.id and role = 'INSTANCE_OWNER'
        ) then
          return null;
        end if;
        perform from instance for no key update;
        if not has_active_owner() then
          raise exception using errcode = 'check_violation', constraint = 'members__last_owner',
            table = 'members', message = 'the instance has no other active owner';
        end if;
        return null;
      end $$`.execute(db);
    await sql`
      create trigger users__last_owner after update of state on users
        for each row when (old.state = 'active' and new.state <> 'active')
        execute function keep_last_active_user()`.execute(db);
  },
};
