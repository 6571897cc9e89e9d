import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Applications that get access tokens for a machine user. Frozen: change the tables with a new migration.
 *
 * Without a foreign key: an application outlives its user, and gets no tokens without one.
 */
export const serviceApps: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table apps
        add column service_user_id uuid,
        drop constraint apps__type,
        add constraint apps__type check (type in ('web', 'spa', 'native', 'service')),
        add constraint apps__service check (type <> 'service' or service_user_id is not null)`.execute(db);
  },
};
