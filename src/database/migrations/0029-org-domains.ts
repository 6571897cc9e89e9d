import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The domains of organizations. Frozen: change the table with a new migration. */
export const orgDomains: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table orgs add column primary_domain text`.execute(db);
    await sql`
      create table org_domains (
        org_id uuid not null constraint org_domains__org references orgs (id) on delete cascade,
        name text collate "C" not null,
        sequence bigint not null,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        validation_type text constraint org_domains__validation_type check (validation_type in ('dns', 'http')),
        token text,
        verified_at timestamptz,
        constraint org_domains__pkey primary key (org_id, name)
      )`.execute(db);
    // A verified domain belongs to one organization.
    await sql`create unique index org_domains__verified on org_domains (name) where verified_at is not null`.execute(
      db,
    );
  },
};
