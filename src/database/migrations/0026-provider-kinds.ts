import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Identity providers of other kinds than OpenID Connect. Frozen: change the tables with a new migration. */
export const providerKinds: Migration = {
  async up(db: Kysely<unknown>) {
    // The defaults are the kind and the options of providers that earlier versions add. `config` has the settings that
    // only some kinds have.
    await sql`
      alter table idps
        add column kind text not null default 'oidc',
        add column config jsonb not null default '{"isIdTokenMapping": false, "usePkce": true}',
        add column is_linking_allowed boolean not null default true,
        add column is_creation_allowed boolean not null default true,
        add column is_auto_update boolean not null default false,
        add column auto_linking smallint not null default 0`.execute(db);
  },
};
