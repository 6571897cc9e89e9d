import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The organization of sign-ins that name none. It was found by its name, which can now change. Frozen. */
export const defaultOrg: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table instance add column default_org_id uuid`.execute(db);
    await sql`update instance set default_org_id = (select id from orgs where name_key = 'default')`.execute(db);
  },
};
