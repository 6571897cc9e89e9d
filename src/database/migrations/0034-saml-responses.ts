import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The response of a SAML provider, between the form of the provider's site, which comes without our cookies, and the
 * request with them. Frozen: change the table with a new migration.
 */
export const samlResponses: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table idp_attempts add column response text`.execute(db);
  },
};
