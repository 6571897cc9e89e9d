import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Values that applications store with users. Frozen: change the table with a new migration. */
export const userMetadata: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table user_metadata (
        org_id uuid not null,
        user_id uuid not null,
        key text collate "C" not null,
        value bytea not null,
        sequence bigint not null,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        constraint user_metadata__pkey primary key (org_id, user_id, key),
        constraint user_metadata__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
      )`.execute(db);
    // A value may be too long for an index.
    await sql`create index user_metadata__value on user_metadata (org_id, key, sha256(value))`.execute(db);
    await sql`
      create unique index user_metadata__external_id on user_metadata (org_id, sha256(value))
        where key = 'external_id'`.execute(db);
  },
};
