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
 * after it. Concurrent calls share it: each compares what it has read with the position that it had read after, because
 * another call may have moved the shared one meanwhile.
 *
 * If the positions after the remembered one have no gap, all of them are settled. At a gap, the function allocates a
 * transaction id as a fence, as a follower does (`examples/events/read-events.ts`): the last position read before is settled once no
 * transaction with a lower id is running. While one is running, the function waits for a quarter of a second at most,
 * and then returns the position that is settled by then.
 */
export function createReadSettledPosition(db: Database): ReadSettledPosition {
  let settled = 0n;
  let fence: Fence | undefined;

  function settle(position: bigint): void {
    if (position > settled) settled = position;
    if (fence !== undefined && fence.position <= settled) fence = undefined;
  }

  return async (caller) => {
    for (let waits = 0; ; ) {
      const [known, knownFence] = [settled, fence];
      const [found] = await selectLast(db, { known }, caller);
      if (found === undefined) throw new Error("an aggregate without a row");
      // Another call has found that a standby was promoted: this one may have read the former primary.
      if (settled < known) continue;
      if (found.last < known) {
        // A standby that was promoted may lack the last events.
        [settled, fence] = [0n, undefined];
        continue;
      }
      if (found.last - known === found.count) {
        settle(found.last);
        return settled;
      }
      if (knownFence !== undefined && isPassed(knownFence, found)) {
        settle(knownFence.position);
        if (settled >= found.last) return settled;
      }
      if (fence === undefined || (fence === knownFence && isOfOtherDatabase(fence, found))) {
        const [allocated] = await allocateFence(db, {}, caller);
        // With the position that this call had read before, not a later one of another call.
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

/** Each transaction that may still add an event at this position or before it has a lower id. */
interface Fence {
  readonly position: bigint;
  readonly id: bigint;
}

interface LastRow {
  last: bigint;
  /** The number of events after the known position, counted up to `MOST_COUNTED`. */
  count: bigint;
  oldest_running: string;
  next_assigned: string;
}

function isPassed({ position, id }: Fence, { oldest_running, last }: LastRow): boolean {
  return BigInt(oldest_running) >= id && position <= last;
}

/** A fence that the database has not assigned yet is of the database that a standby or a backup replaced. */
function isOfOtherDatabase({ id }: Fence, { next_assigned }: LastRow): boolean {
  return id >= BigInt(next_assigned);
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
