import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What leads from the response of a SAML provider to its sign-in. `RelayState` is too short for it, and finds the
 * attempt. Frozen: change the table with a new migration.
 */
export const samlOrigins: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table idp_attempts add column origin text`.execute(db);
    await sql`create index idp_attempts__state on idp_attempts (state_hash) where origin is not null`.execute(db);
  },
};
