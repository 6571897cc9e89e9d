import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The metadata of users that an application gets. Frozen: change the tables with a new migration. */
export const metadataClaims: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table apps add column metadata_claims text[] not null default '{}'`.execute(db);
  },
};
