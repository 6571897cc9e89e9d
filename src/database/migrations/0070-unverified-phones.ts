import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Finds users by their unverified phone numbers; `verified_phones` of 0030 has the others. An index of the numbers in `users`
 * would make a change of a number write to every index of the table. Frozen: change the table with a new migration.
 */
export const unverifiedPhones: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table unverified_phones (
        org_id uuid not null,
        user_id uuid not null,
        phone text collate "C" not null,
        constraint unverified_phones__pkey primary key (org_id, user_id),
        constraint unverified_phones__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
      )`.execute(db);
    // The foreign key has locked `users`, so these are all numbers.
    await sql`
      insert into unverified_phones
      select org_id, id, phone from users where phone is not null and not phone_verified`.execute(db);
    await sql`create index unverified_phones__phone on unverified_phones (org_id, phone)`.execute(db);

    // Triggers rather than parts of statements, because those of the previous version store unverified numbers, too.
    await sql`
      create function store_unverified_phone() returns trigger language plpgsql as $$
      begin
        if new.phone is not null and not new.phone_verified then
          insert into unverified_phones (org_id, user_id, phone) values (new.org_id, new.id, new.phone)
            on conflict (org_id, user_id) do update set phone = excluded.phone;
        else
          delete from unverified_phones where org_id = new.org_id and user_id = new.id;
        end if;
        return null;
      end $$`.execute(db);
    await sql`
      create trigger users__new_phone after insert on users
        for each row when (new.phone is not null and not new.phone_verified)
        execute function store_unverified_phone()`.execute(db);
    await sql`
      create trigger users__phone after update of phone, phone_verified on users
        for each row when (
          (old.phone is not null and not old.phone_verified) or (new.phone is not null and not new.phone_verified))
        execute function store_unverified_phone()`.execute(db);
  },
};
