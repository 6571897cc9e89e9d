import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What applications know imported users by, instead of their ids. Frozen: change the table with a new migration. */
export const userSubjects: Migration = {
  async up(db: Kysely<unknown>) {
    // Unique across organizations, because a token does not name the organization. So it cannot be partitioned.
    await sql`
      create table user_subjects (
        user_id uuid not null,
        org_id uuid not null,
        subject text collate "C" not null,
        constraint user_subjects__pkey primary key (user_id),
        constraint user_subjects__subject unique (subject),
        constraint user_subjects__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
      )`.execute(db);
  },
};
