import { sql } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import { type BackgroundWork, createBackgroundWork } from "./background-work.ts";

/**
 * Analyzes tables that have grown, in the background. PostgreSQL's autovacuum does it too, but up to a minute later, and
 * until then, calls run plans made for empty tables. The embedded database has no autovacuum.
 */
interface TableMaintenance extends BackgroundWork {
  /** Analyzes, and in the embedded database also vacuums, the tables that are due. Rejects with the database error. */
  maintainDue(): Promise<void>;
}

interface TableMaintenanceParts {
  readonly db: Database;
  readonly isEmbedded: boolean;
  readonly log: Logger;
}

/** Looking for tables that are due takes PostgreSQL 0.8 ms. */
const INTERVAL_MS = 2_000;

/** A table is analyzed once its size, or the number of changed rows, is this multiple of what it was the last time. */
const GROWTH = { postgres: 10, embedded: 2 };

export function createTableMaintenance({ db, isEmbedded, log }: TableMaintenanceParts): TableMaintenance {
  const failure = "could not analyze tables that have grown";
  const work = createBackgroundWork({ run: maintainDue, firstPauseMs: 0, pauseMs: INTERVAL_MS, log, failure });
  const findDue = dueTables(isEmbedded);

  /** One table per statement, so that others can use the only session of the embedded database in between. */
  async function maintainDue(): Promise<void> {
    const { rows } = await findDue.execute(db);
    for (const { table, vacuum } of rows) {
      work.signal.throwIfAborted();
      // Another process may be analyzing it.
      const options = sql.raw(vacuum ? "vacuum (analyze, skip_locked)" : "analyze (skip_locked)");
      await sql`${options} ${sql.raw(table)}`.execute(db);
      log.debug({ table, vacuum }, "analyzed a table");
    }
  }

  return { ...work, maintainDue };
}

/**
 * The tables that are due, as quoted names, and whether to vacuum them. The partitions of a table count together, because
 * autovacuum never analyzes the partitioned table itself. Tables of another owner cannot be analyzed.
 *
 * The counts of changed rows are lost when the process is killed, but the sizes are not. Pages, dead and inserted rows
 * are compared as PostgreSQL's autovacuum does, with larger factors: both statements hold up all others of the embedded
 * database.
 */
function dueTables(isEmbedded: boolean) {
  const growth = sql.lit(isEmbedded ? GROWTH.embedded : GROWTH.postgres);
  return sql<{ table: string; vacuum: boolean }>`
    with tables as (
      select coalesce(pg_partition_root(oid), oid)::regclass::text as "table",
        sum(pg_relation_size(oid)) / current_setting('block_size')::int as pages,
        sum(greatest(relpages, 0)) as known_pages,
        sum(greatest(reltuples, 0)) as known_rows,
        sum(pg_stat_get_mod_since_analyze(oid)) as changed_rows,
        sum(pg_stat_get_dead_tuples(oid)) as dead_rows,
        sum(pg_stat_get_ins_since_vacuum(oid)) as inserted_rows
      from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')
      group by 1
    ), due as (
      select "table",
        pages >= 10 and pages >= ${growth} * known_pages
          or changed_rows >= ${growth} * greatest(known_rows, 1000) as has_grown,
        ${sql.lit(isEmbedded)} and (dead_rows >= 1000 + 0.2 * known_rows or inserted_rows >= 10000 + known_rows) as vacuum
      from tables
    )
    select "table", vacuum from due where has_grown or vacuum order by 1`;
}
