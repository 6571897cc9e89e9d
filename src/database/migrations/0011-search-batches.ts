import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Merges new entries into the index for parts of texts every 1 MB. Frozen: change the tables with a new migration.
 *
 * With 256 kB, an import of 10 users took PostgreSQL 5 to 10 % more CPU time, and one user in 280 waited 6 to 9 ms for
 * the merge; now one in 1,100 waits 14 ms. A search takes 0.5 ms longer, because it reads the entries that are not
 * merged yet. With 4 MB, CPU time is the same as with 1 MB, and the merge takes 30 ms (600,000 users).
 */
export const searchBatches: Migration = {
  async up(db: Kysely<unknown>) {
    // Of a partitioned table, only the indexes of the partitions have entries and can be changed.
    await sql`
      do $$
      declare
        trigrams regclass;
      begin
        for trigrams in
          select oid from pg_class
          where relkind = 'i' and relname ~ '^users__trigrams(__p[0-9]+)?$' and pg_table_is_visible(oid)
        loop
          execute format('alter index %s set (gin_pending_list_limit = 1024)', trigrams);
        end loop;
      end $$`.execute(db);
  },
};
