import { type Kysely, sql } from "kysely";
import { SignetError } from "../errors.ts";
import { toSignetError } from "./failure.ts";
import type { Tables } from "./tables.ts";

/** How long a result is cached, in milliseconds. Anyone may call `/readyz`, at any rate. */
const VALID_MS = 1_000;

/** The longest wait for the database. A frozen server closes no connection, and the statement fails after 12 s only. */
const LONGEST_MS = 2_000;

/**
 * Creates a check that resolves if the database accepts writes, and throws SignetError otherwise, after 2 s at most.
 * Queries the database at most once per second, and not again before the previous query has ended.
 *
 * Writing one row fails on a standby, on a read-only database, and while commits wait for a replica. It does not fail
 * on a full disk, because PostgreSQL reuses the existing page and WAL segment. Therefore, the statement also makes the
 * server write 1 MiB to a temporary file on the volume of the tables: a `work_mem` of 64 kB, set for this statement
 * only, is too small to keep it in memory. This takes 3 ms. Measured on a full disk: `select 1` and a row update
 * succeed, but this statement fails with SQLSTATE 53100.
 */
export function createCheckWritable(db: Kysely<Tables>): () => Promise<void> {
  let outcome: Promise<void> | undefined;
  let validUntil = 0;
  return () => {
    if (outcome === undefined || performance.now() > validUntil) {
      validUntil = Number.POSITIVE_INFINITY;
      const written = write(db).finally(() => {
        validUntil = performance.now() + VALID_MS;
      });
      outcome = orTimeout(written);
    }
    return outcome;
  };
}

async function orTimeout(written: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const tooLate = new SignetError("UNAVAILABLE", "the database does not respond; try again");
  const timer = setTimeout(() => reject(tooLate), LONGEST_MS);
  try {
    await Promise.race([written, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Uses the counters table. Keys used by pages start with `page:`, so they cannot collide. */
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
