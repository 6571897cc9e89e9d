import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Which applications require PKCE: those of earlier versions, and those that a process of one of them adds. Frozen: change
 * the tables with a new migration.
 */
export const optionalPkce: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table apps add column requires_pkce boolean not null default true`.execute(db);
  },
};
