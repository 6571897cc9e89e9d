import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Indexes for lists of users and organizations, in the expressions of `src/users/user-columns.ts`. Frozen: change them
 * with a new migration.
 */
export const userSearch: Migration = {
  async up(db: Kysely<unknown>) {
    // In the collation "C", the unique indexes of the names also serve sorting and prefixes. Only the indexes are
    // rebuilt.
    await sql`alter table users alter column user_name_key type text collate "C"`.execute(db);
    await sql`alter table orgs alter column name_key type text collate "C"`.execute(db);

    await sql`create index users__by_creation on users (org_id, created_at, id)`.execute(db);
    for (const column of ["email", "last_name", "display_name"]) {
      await sql`
        create index ${sql.ref(`users__by_${column}`)} on users
          (org_id, replace(lower(coalesce(${sql.ref(column)}, '')), 'ς', 'σ') collate "C", id)`.execute(db);
    }
    await sql`create index orgs__by_creation on orgs (created_at, id)`.execute(db);
    await createTrigrams(db);
  },
};

/**
 * An index for parts of texts, if the extensions are there and may be created. Without it, such a search reads all
 * users of the organization.
 *
 * New entries are merged into the index every 256 kB. With the default, 4 MB, one import in 5,000 waited 200 ms for
 * that.
 */
async function createTrigrams(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    begin
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;
      create index users__trigrams on users using gin (
        org_id,
        replace(lower(
          user_name_key || E'\n' || coalesce(first_name, '') || E'\n' || coalesce(last_name, '') || E'\n'
            || coalesce(nick_name, '') || E'\n' || coalesce(display_name, '') || E'\n' || coalesce(email, '')
        ), 'ς', 'σ') gin_trgm_ops
      ) with (gin_pending_list_limit = 256);
    exception
      when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
        raise notice 'users are searched without an index of trigrams';
    end $$`.execute(db);
}
