import { type Kysely, sql } from "kysely";
import { toSignetError } from "./failure.ts";
import type { Tables } from "./tables.ts";

/** How long one outcome answers everybody, in milliseconds. Anyone may ask, as often as they like. */
const VALID_MS = 1_000;

/**
 * Creates a check that the database can store something. It resolves when it can, and throws SignetError when it cannot;
 * the database is asked once per second at most.
 *
 * A write of one row fails on a standby, on a database that is read-only, and while commits wait for a replica. It does
 * not fail on a full disk, because PostgreSQL reuses the page and the WAL segment that are there. So the statement also
 * has the server write 1 MiB to a temporary file, in the folder of the tables: `work_mem` of 64 kB, for this statement
 * alone, is too little to keep it in memory. It takes 3 ms. Measured on a full disk: `select 1` and the update of a row
 * succeed, this fails with SQLSTATE 53100.
 */
export function createCheckWritable(db: Kysely<Tables>): () => Promise<void> {
  let outcome: Promise<void> | undefined;
  let validUntil = 0;
  return () => {
    if (outcome === undefined || performance.now() > validUntil) {
      validUntil = Number.POSITIVE_INFINITY;
      outcome = write(db).finally(() => {
        validUntil = performance.now() + VALID_MS;
      });
    }
    return outcome;
  };
}

/** `rate_limits` is the table of counters; the pages' keys begin with `page:`. */
async function write(db: Kysely<Tables>): Promise<void> {
  const statement = sql`
    with settings as materialized (
      select set_config('work_mem', '64kB', true) || set_config('temp_tablespaces', '', true) as value
    )
    insert into rate_limits (key, points)
    select 'readiness', count(*)
    from settings
    cross join lateral string_to_table(
      repeat(repeat('x', 1023) || ',', case when settings.value is null then 0 else 1024 end), ','
    )
    on conflict (key) do update set points = excluded.points`;
  try {
    await statement.execute(db);
  } catch (error) {
    throw toSignetError(error);
  }
}
