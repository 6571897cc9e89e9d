import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * APIs of organizations: audiences of access tokens. Frozen: change the tables with a new migration.
 *
 * The identifier is unique in the instance: all organizations have one issuer, and an API that validates tokens by issuer
 * and audience (RFC 9068, section 4) must not accept those that another organization issues for an API of the same name.
 */
export const apis: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table apis (
        owner_id uuid not null,
        id uuid not null,
        name text not null,
        identifier text collate "C" not null,
        scopes text[] not null,
        introspector_app_ids uuid[] not null,
        sequence bigint not null,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        constraint apis__pkey primary key (owner_id, id),
        constraint apis__identifier unique (identifier),
        constraint apis__org foreign key (owner_id) references orgs (id) on delete cascade
      )`.execute(db);
  },
};
