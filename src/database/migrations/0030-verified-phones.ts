import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Finds users by their verified phone numbers. An index of the numbers in `users` made a change of a number write to
 * every index of the table. Frozen: change the table with a new migration.
 */
export const verifiedPhones: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table verified_phones (
        org_id uuid not null,
        user_id uuid not null,
        phone text collate "C" not null,
        constraint verified_phones__pkey primary key (org_id, user_id),
        constraint verified_phones__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
      )`.execute(db);
    await sql`
      insert into verified_phones select org_id, id, phone from users where phone is not null and phone_verified`.execute(
      db,
    );
    await sql`create index verified_phones__phone on verified_phones (org_id, phone)`.execute(db);
    await sql`drop index users__by_phone`.execute(db);
  },
};
