import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The latest requests of SCIM connections. Frozen: change the table with a new migration. */
export const scimRequests: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table scim_connections add column request_count bigint not null default 0`.execute(db);
    await sql`
      create table scim_requests (
        owner_id uuid not null,
        connection_id uuid not null,
        slot smallint not null,
        position bigint not null,
        created_at timestamptz not null,
        method text not null,
        path text not null,
        status smallint not null,
        outcome text not null,
        detail text not null,
        user_id uuid,
        sender text not null,
        constraint scim_requests__pkey primary key (owner_id, connection_id, slot),
        constraint scim_requests__connection foreign key (owner_id, connection_id)
          references scim_connections (owner_id, id) on delete cascade
      )`.execute(db);
  },
};
