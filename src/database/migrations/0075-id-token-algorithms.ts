import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which algorithm signs the ID tokens of an application. Frozen: change the tables with a new migration. */
export const idTokenAlgorithms: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table apps add column id_token_signed_response_alg text not null default 'RS256'
        constraint apps__id_token_signed_response_alg
        check (id_token_signed_response_alg in ('RS256', 'ES256', 'EdDSA', 'PS256'))`.execute(db);
    await sql`alter table signing_keys drop constraint signing_keys__algorithm`.execute(db);
    await sql`
      alter table signing_keys add constraint signing_keys__algorithm
        check (algorithm in ('RS256', 'ES256', 'EdDSA', 'PS256'))`.execute(db);
  },
};
