import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { EventType } from "./catalogue.ts";

/** The progress of a follower, which stores it in the transaction that applies the events. */
export interface Cursor {
  /** Position of the last event read; 0 before the first. */
  readonly position: bigint;
  /** The transaction id that bounds the wait for a missing position after the last event; null if none is missing. */
  readonly fence: bigint | null;
}

/** A recorded event. */
export interface RecordedEvent {
  readonly position: bigint;
  readonly owner_id: string;
  readonly aggregate_id: string;
  readonly sequence: bigint;
  readonly type: EventType;
  readonly editor_id: string | null;
  readonly created_at: Date;
  /** Null after the user's personal data was erased. */
  readonly payload: unknown;
}

export const START: Cursor = { position: 0n, fence: null };

/**
 * Reads the events after a cursor in the order of their positions, without missing any.
 *
 * A position is allocated before its event is committed, so a later position may become visible first. At a missing
 * position, the follower stops and allocates a transaction id as a fence. Every transaction that had allocated a
 * position by then has a lower id, because a statement writes state before it appends events. When none of those
 * transactions is still running, a position that is still missing was rolled back, and is skipped.
 *
 * A fence from the database that this one was copied or restored from still permits only final gaps: the event behind
 * the gap was visible when the fence was allocated, and is in the copy. If its id has not been assigned here yet, it is
 * replaced, because it might take days until a transaction gets that id.
 *
 * @returns At most `limit` events and the cursor after them. It returns no events if there are none, or while the
 *   next position is missing.
 */
export async function readEvents(
  db: Database,
  cursor: Cursor,
  limit: number,
): Promise<{ events: RecordedEvent[]; cursor: Cursor }> {
  const rows = await selectEvents(db, { position: cursor.position, limit: BigInt(limit) });
  const events: RecordedEvent[] = [];
  let { position, fence } = cursor;
  for (const { oldest_running, next_assigned, ...event } of rows) {
    const isNext = event.position === position + 1n;
    const isGapClosed = fence !== null && BigInt(oldest_running) >= fence;
    if (!isNext && !isGapClosed) {
      const isOfThisDatabase = fence !== null && fence < BigInt(next_assigned);
      if (!isOfThisDatabase) fence = BigInt((await allocateFence(db, {}))[0]?.fence ?? 0);
      break;
    }
    events.push(event);
    position = event.position;
    // A fence covers only the positions that were missing after the cursor when it was allocated.
    fence = null;
  }
  return { events, cursor: { position, fence } };
}

type EventRow = RecordedEvent & { oldest_running: string; next_assigned: string };

const selectEvents = prepareStatement<{ position: bigint; limit: bigint }, EventRow>((db, param) =>
  db
    .selectFrom("events")
    .select(["position", "owner_id", "aggregate_id", "sequence", "type", "editor_id", "created_at", "payload"])
    // From the same snapshot as the events.
    .select([
      sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as("oldest_running"),
      sql<string>`pg_snapshot_xmax(pg_current_snapshot())::text`.as("next_assigned"),
    ])
    .where("position", ">", param("position", "bigint"))
    .orderBy("position")
    .limit(param("limit", "bigint"))
    .$castTo<EventRow>(),
);

const allocateFence = prepareStatement<object, { fence: string }>((db) =>
  db.selectNoFrom(sql<string>`pg_current_xact_id()::text`.as("fence")),
);
