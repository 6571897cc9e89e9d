import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Tables } from "./tables.ts";

/**
 * Returns by how many seconds a clock is ahead of the database's; negative if it is behind. The error is at most half
 * the time of the query.
 */
export async function readClockOffset(db: Kysely<Tables>, clock: Clock): Promise<number> {
  const before = clock().getTime();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const after = clock().getTime();
  return ((before + after) / 2 - (rows[0]?.ms ?? 0)) / 1_000;
}
