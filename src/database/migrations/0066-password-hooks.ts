import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The password hooks of organizations, with their signing keys. Frozen: change the table with a new migration. */
export const passwordHooks: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table password_hooks (
        owner_id uuid not null,
        id uuid not null,
        url text not null,
        secret bytea not null,
        secret_key text not null,
        sequence bigint not null,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        constraint password_hooks__pkey primary key (owner_id),
        constraint password_hooks__org foreign key (owner_id) references orgs (id) on delete cascade
      )`.execute(db);
  },
};
