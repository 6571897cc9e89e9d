import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/**
 * Reads the settled position: no event at this position or before it can appear any more. It is usually that of the last
 * event.
 *
 * @throws SignetError for a failure of the database; the error of `throwIfOver`.
 */
export type ReadSettledPosition = (caller?: QueryCaller) => Promise<bigint>;

/** How often, and after how many milliseconds, to look again while a transaction may still fill a gap. */
const MAX_WAITS = 25;
const WAIT_MS = 10;

/**
 * Creates a function that reads the settled position. It remembers the last one, so later calls examine only the events
 * after it.
 *
 * If the positions after the remembered one have no gap, all of them are settled. At a gap, the function allocates a
 * transaction id as a fence, as a follower does (`follow-events.ts`): the last position read before is settled once no
 * transaction with a lower id is running. While one is running, the function waits for a quarter of a second at most,
 * and then returns the position that is settled by then.
 */
export function createReadSettledPosition(db: Database): ReadSettledPosition {
  let settled = 0n;
  let fence: { readonly position: bigint; readonly id: bigint } | undefined;

  return async (caller) => {
    for (let waits = 0; ; ) {
      const [found] = await selectLast(db, { known: settled }, caller);
      if (found === undefined) throw new Error("an aggregate without a row");
      // A standby that was promoted may lack the last events.
      if (found.last < settled) settled = 0n;
      if (found.last - settled === found.count) {
        settled = found.last;
        fence = undefined;
        return settled;
      }
      if (fence !== undefined && BigInt(found.oldest_running) >= fence.id && fence.position <= found.last) {
        if (fence.position > settled) settled = fence.position;
        fence = undefined;
        if (settled === found.last) return settled;
      }
      // One that the database has not assigned yet is of the database that a standby or a backup replaced.
      if (fence === undefined || fence.id >= BigInt(found.next_assigned)) {
        const [allocated] = await allocateFence(db, {}, caller);
        fence = { position: found.last, id: BigInt(allocated?.id ?? 0) };
        continue;
      }
      waits += 1;
      if (waits > MAX_WAITS) return settled;
      await delay(WAIT_MS);
      caller?.throwIfOver();
    }
  };
}

interface LastRow {
  last: bigint;
  /** The number of events after the known position, counted up to `MOST_COUNTED`. */
  count: bigint;
  oldest_running: string;
  next_assigned: string;
}

/** With more events, the function does not look for a gap, but allocates a fence. */
const MOST_COUNTED = 10_000;

/** One snapshot for all of its columns. */
const selectLast = prepareStatement<{ known: bigint }, LastRow>((db, param) =>
  db.selectNoFrom([
    sql<bigint>`coalesce((select max(position) from events), 0)`.as("last"),
    sql<bigint>`(
      select count(*)
      from (
        select from events where position > ${param("known", "bigint")} order by position
        limit ${sql.lit(MOST_COUNTED + 1)}
      ) as later)`.as("count"),
    sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as("oldest_running"),
    sql<string>`pg_snapshot_xmax(pg_current_snapshot())::text`.as("next_assigned"),
  ]),
);

const allocateFence = prepareStatement<object, { id: string }>((db) =>
  db.selectNoFrom(sql<string>`pg_current_xact_id()::text`.as("id")),
);
