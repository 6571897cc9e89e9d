import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Applications that get all claims in the ID token. Frozen: change the tables with a new migration. */
export const idTokenClaims: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table apps add column id_token_userinfo_assertion boolean not null default false`.execute(db);
  },
};
