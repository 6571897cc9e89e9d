import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Roles of applications, and the users who have them. Frozen: change the tables with a new migration. */
export const appRoles: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table apps add column roles text[] not null default '{}'`.execute(db);
    await sql`
      create table user_app_roles (
        org_id uuid not null,
        user_id uuid not null,
        app_id uuid not null,
        role text collate "C" not null,
        sequence bigint not null,
        created_at timestamptz not null,
        constraint user_app_roles__pkey primary key (org_id, user_id, app_id, role),
        constraint user_app_roles__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade,
        constraint user_app_roles__app foreign key (org_id, app_id) references apps (owner_id, id) on delete cascade
      )`.execute(db);
    await sql`create index user_app_roles__app_id on user_app_roles (org_id, app_id, user_id, role)`.execute(db);
  },
};
