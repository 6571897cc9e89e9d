/**
 * Reads the events of Signet's database in order, without missing any: see docs/events.md, section "How to follow". A
 * program without access to the database calls WatchEvents.
 *
 * With `pg`: `await readEvents((text, values) => client.query(text, values), cursor, 100)`.
 */

/** The progress of a follower, which stores it in the transaction that applies the events. */
export interface Cursor {
  /** Position of the last event read; 0 before the first. */
  readonly position: bigint;
  /** The transaction id that bounds the wait for a missing position after the last event; null if none is missing. */
  readonly fence: bigint | null;
}

export const START: Cursor = { position: 0n, fence: null };

/** The columns of an event. `position` and `sequence` are integers as text; `payload` is null after the user's removal. */
interface RecordedEvent {
  readonly position: string;
  readonly owner_id: string;
  readonly aggregate_id: string;
  readonly sequence: string;
  readonly type: string;
  readonly editor_id: string | null;
  readonly created_at: Date;
  readonly payload: unknown;
}

type RunQuery = (text: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }>;

/** The transaction ids are from the same snapshot as the events. */
const SELECT = `
  select position::text, owner_id, aggregate_id, sequence::text, type, editor_id, created_at, payload,
    pg_snapshot_xmin(pg_current_snapshot())::text as oldest_running,
    pg_snapshot_xmax(pg_current_snapshot())::text as next_assigned
  from events where position > $1 order by events.position limit $2`;

const ALLOCATE_FENCE = "select pg_current_xact_id()::text as fence";

/**
 * Reads the events after a cursor in the order of their positions.
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
  query: RunQuery,
  cursor: Cursor,
  limit: number,
): Promise<{ events: RecordedEvent[]; cursor: Cursor }> {
  const { rows } = await query(SELECT, [cursor.position, limit]);
  const events: RecordedEvent[] = [];
  let { position, fence } = cursor;
  for (const { oldest_running, next_assigned, ...event } of rows as (RecordedEvent & Snapshot)[]) {
    const isNext = BigInt(event.position) === position + 1n;
    const isGapClosed = fence !== null && BigInt(oldest_running) >= fence;
    if (!isNext && !isGapClosed) {
      const isOfThisDatabase = fence !== null && fence < BigInt(next_assigned);
      if (!isOfThisDatabase) fence = await allocateFence(query);
      break;
    }
    events.push(event);
    position = BigInt(event.position);
    // A fence covers only the positions that were missing after the cursor when it was allocated.
    fence = null;
  }
  return { events, cursor: { position, fence } };
}

interface Snapshot {
  readonly oldest_running: string;
  readonly next_assigned: string;
}

async function allocateFence(query: RunQuery): Promise<bigint> {
  const { rows } = await query(ALLOCATE_FENCE, []);
  return BigInt((rows as { fence: string }[])[0]?.fence ?? 0);
}
