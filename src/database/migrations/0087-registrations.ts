import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Registrations that wait for their addresses. Frozen: change the table with a new migration. */
export const registrations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table registrations (
        code_hash bytea not null,
        org_id uuid not null,
        sealed text not null,
        expires_at timestamptz not null,
        constraint registrations__pkey primary key (code_hash)
      )`.execute(db);
    await sql`create index registrations__expires_at on registrations (expires_at)`.execute(db);
    await sql`create index registrations__of_org on registrations (org_id, expires_at)`.execute(db);
  },
};
