import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Applications that authenticate with a key (`private_key_jwt`). Frozen: change the tables with a new migration. */
export const clientKeys: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table apps
        add column jwks text,
        add column jwks_uri text,
        drop constraint apps__auth_method,
        drop constraint apps__secret,
        add constraint apps__auth_method check (auth_method in ('basic', 'post', 'none', 'private_key_jwt')),
        add constraint apps__secret check ((auth_method in ('none', 'private_key_jwt')) = (secret_hash is null)),
        add constraint apps__keys check (auth_method <> 'private_key_jwt' or (jwks is null) <> (jwks_uri is null))`.execute(
      db,
    );
  },
};
