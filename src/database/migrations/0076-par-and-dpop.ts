import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Which applications require pushed authorization requests (RFC 9126) and DPoP proofs (RFC 9449). Frozen: change the
 * tables with a new migration.
 */
export const parAndDpop: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table apps
      add column requires_par boolean not null default false,
      add column dpop_bound_access_tokens boolean not null default false`.execute(db);
  },
};
