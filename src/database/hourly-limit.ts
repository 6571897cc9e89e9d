import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "./database.ts";
import { prepareStatement } from "./prepare.ts";

const HOUR_MS = 3_600_000;

interface HourlyLimit {
  /** What is counted, and for whom. */
  readonly key: string;
  /** The most in an hour of the clock. */
  readonly max: number;
}

/**
 * Counts something that may happen a limited number of times in an hour. Call it before it happens, so that concurrent
 * calls cannot exceed the limit.
 *
 * @returns Undefined, or the milliseconds until the next hour if the limit is reached.
 * @throws SignetError for a failure of the database.
 */
export async function countInHour(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { key, max }: HourlyLimit,
  caller?: QueryCaller,
): Promise<number | undefined> {
  const now = clock().getTime();
  const hour = Math.floor(now / HOUR_MS);
  const end = (hour + 1) * HOUR_MS;
  const [counted] = await increment(db, { key: toKey(key, hour), max, expire: BigInt(end) }, caller);
  return counted === undefined ? end - now : undefined;
}

/** Uncounts something that did not happen. */
export async function uncountInHour(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { key }: HourlyLimit,
): Promise<void> {
  await uncount(db, { key: toKey(key, Math.floor(clock().getTime() / HOUR_MS)) });
}

function toKey(key: string, hour: number): string {
  return `${key}:${hour}`;
}

/** Returns no row if the limit is reached. Rows are deleted with the table's other expired rows. */
const increment = prepareStatement<{ key: string; max: number; expire: bigint }, { points: number }>((db, param) =>
  db
    .insertInto("rate_limits")
    .values({ key: param("key", "text"), points: 1, expire: param("expire", "bigint") })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ points: sql<number>`rate_limits.points + 1` })
        .where(sql<boolean>`rate_limits.points < ${param("max", "smallint")}`),
    )
    .returning("points"),
);

/** Takes one from the counter with a key. */
export const uncount = prepareStatement<{ key: string }, unknown>((db, param) =>
  db
    .updateTable("rate_limits")
    .set({ points: sql`points - 1` })
    .where("key", "=", param("key", "text"))
    .where("points", ">", 0),
);
