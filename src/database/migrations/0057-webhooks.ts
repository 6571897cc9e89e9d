import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Webhooks of organizations, their signing keys and deliveries. Frozen: change the tables with a new migration. */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table webhooks (
        owner_id uuid not null,
        id uuid not null,
        slot smallint not null,
        name text not null,
        url text not null,
        event_types text[] not null,
        includes_payload boolean not null,
        state text not null default 'active' constraint webhooks__state check (state in ('active', 'inactive')),
        position bigint not null,
        key_id uuid not null,
        previous_key_id uuid,
        previous_key_until timestamptz,
        sequence bigint not null,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        constraint webhooks__pkey primary key (owner_id, id),
        constraint webhooks__slot unique (owner_id, slot),
        constraint webhooks__org foreign key (owner_id) references orgs (id) on delete cascade
      )`.execute(db);
    await sql`
      create table webhook_keys (
        owner_id uuid not null,
        id uuid not null,
        webhook_id uuid not null,
        secret bytea not null,
        secret_key text not null,
        constraint webhook_keys__pkey primary key (owner_id, id),
        constraint webhook_keys__webhook foreign key (owner_id, webhook_id) references webhooks (owner_id, id)
          on delete cascade
      )`.execute(db);
    await sql`create index webhook_keys__webhook_id on webhook_keys (owner_id, webhook_id)`.execute(db);
    // Without a foreign key to the webhook, which can have more deliveries than one statement should delete.
    await sql`
      create table webhook_deliveries (
        owner_id uuid not null,
        id uuid not null,
        webhook_id uuid not null,
        position bigint not null,
        aggregate_id uuid not null,
        sequence bigint not null,
        event_type text not null,
        event_created_at timestamptz not null,
        created_at timestamptz not null,
        state text not null default 'waiting'
          constraint webhook_deliveries__state check (state in ('waiting', 'sent', 'failed')),
        attempts integer not null default 0,
        next_attempt_at timestamptz,
        ended_at timestamptz,
        last_error text,
        constraint webhook_deliveries__pkey primary key (owner_id, id),
        constraint webhook_deliveries__event unique (owner_id, webhook_id, position)
      )`.execute(db);
    await sql`
      create index webhook_deliveries__due on webhook_deliveries (owner_id, webhook_id, next_attempt_at)
        where state = 'waiting'`.execute(db);
    await sql`
      create index webhook_deliveries__object on webhook_deliveries (owner_id, webhook_id, aggregate_id, position)
        where state = 'waiting'`.execute(db);
    await sql`create index webhook_deliveries__created_at on webhook_deliveries (created_at)`.execute(db);
  },
};
