import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which APIs give tokens to clients that nobody registers. Frozen: change the tables with a new migration. */
export const unregisteredClients: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table apis add column allows_unregistered_clients boolean not null default false`.execute(db);
  },
};
