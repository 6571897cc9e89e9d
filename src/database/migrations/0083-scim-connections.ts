import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** SCIM connections of organizations. Frozen: change the table with a new migration. */
export const scimConnections: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table scim_connections (
        owner_id uuid not null,
        id uuid not null,
        name text not null,
        token_hash bytea not null,
        previous_token_hash bytea,
        previous_token_until timestamptz,
        last_used_at timestamptz,
        address_rule smallint not null,
        link_attribute smallint not null,
        idp_id uuid,
        group_app_id uuid,
        sequence bigint not null,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        constraint scim_connections__pkey primary key (owner_id, id),
        constraint scim_connections__token_hash unique (token_hash),
        constraint scim_connections__previous_token_hash unique (previous_token_hash),
        constraint scim_connections__org foreign key (owner_id) references orgs (id) on delete cascade
      )`.execute(db);
  },
};
