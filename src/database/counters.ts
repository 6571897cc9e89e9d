import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Limit } from "../limits.ts";
import type { Database } from "./database.ts";
import { prepareStatement } from "./prepare.ts";

const HOUR_MS = 3_600_000;

/** The key says what is counted, and for whom. */
interface Counter {
  readonly key: string;
  readonly limit: Pick<Limit, "most">;
}

interface Counted {
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * Counts something that may happen a limited number of times in a period, which begins with the first one. Call it before it
 * happens, so that concurrent calls cannot exceed the limit.
 *
 * @returns Undefined if the limit is reached.
 * @throws SignetError for a failure of the database.
 */
export async function countInPeriod(
  db: Database,
  { key, most = UNLIMITED, periodMs }: { readonly key: string; readonly most?: number; readonly periodMs: number },
  now: number,
): Promise<Counted | undefined> {
  return await count(db, { key, most: BigInt(most), now: BigInt(now), expire: BigInt(now + periodMs) });
}

/** The highest value of the column. */
const UNLIMITED = 2_147_483_647;

/**
 * Counts in the same way, but by clock hour.
 *
 * @returns Undefined, or the milliseconds until the next hour if the limit is reached.
 */
export async function countInHour(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { key, limit }: Counter,
  caller?: QueryCaller,
): Promise<number | undefined> {
  const now = clock().getTime();
  const end = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const values = { key: ofHour(key, now), most: BigInt(limit.most), now: BigInt(now), expire: BigInt(end) };
  return (await count(db, values, caller)) === undefined ? end - now : undefined;
}

/** Takes back the count of something that did not happen. */
export async function uncountInHour(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { key }: Counter,
): Promise<void> {
  await uncount(db, { key: ofHour(key, clock().getTime()) });
}

function ofHour(key: string, now: number): string {
  return `${key}:${Math.floor(now / HOUR_MS)}`;
}

interface CountValues {
  key: string;
  most: bigint;
  now: bigint;
  expire: bigint;
}

async function count(db: Database, values: CountValues, caller?: QueryCaller): Promise<Counted | undefined> {
  const [row] = await increment(db, values, caller);
  return row && { count: row.points, endsAt: Number(row.expire) };
}

/** Returns no row if the limit is reached. Rows are deleted with the table's other expired rows. */
const increment = prepareStatement<CountValues, { points: number; expire: bigint }>((db, param) => {
  const isOver = sql<boolean>`rate_limits.expire <= ${param("now", "bigint")}`;
  return db
    .insertInto("rate_limits")
    .values({ key: param("key", "text"), points: 1, expire: param("expire", "bigint") })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({
          points: sql<number>`case when ${isOver} then 1 else rate_limits.points + 1 end`,
          expire: sql<bigint>`case when ${isOver} then excluded.expire else rate_limits.expire end`,
        })
        .where(sql<boolean>`${isOver} or rate_limits.points < ${param("most", "bigint")}`),
    )
    .returning(["points", "expire"])
    .$castTo<{ points: number; expire: bigint }>();
});

/** Subtracts one from the counter with a key. */
export const uncount = prepareStatement<{ key: string }, unknown>((db, param) =>
  db
    .updateTable("rate_limits")
    .set({ points: sql`points - 1` })
    .where("key", "=", param("key", "text"))
    .where("points", ">", 0),
);
