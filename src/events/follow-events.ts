import { type Kysely, sql } from "kysely";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { EventType } from "./catalogue.ts";

/** How far a follower has read. It is kept by the follower, together with what it made of the events. */
export interface Cursor {
  /** Position of the last event that was read; 0 before the first. */
  readonly position: bigint;
  /** Set while a position is missing behind the last event: the transaction before which it must be given up. */
  readonly fence: bigint | null;
}

/** An event as it is recorded. */
export interface RecordedEvent {
  readonly position: bigint;
  readonly owner_id: string;
  readonly aggregate_id: string;
  readonly sequence: bigint;
  readonly type: EventType;
  readonly editor_id: string | null;
  readonly created_at: Date;
  /** Null once a person's data was erased. */
  readonly payload: unknown;
}

export const START: Cursor = { position: 0n, fence: null };

/**
 * Reads the events behind a cursor in the order of their positions, and loses none.
 *
 * A position is drawn before its event is committed, so that a later one may be seen earlier. At a missing position the
 * follower stops and draws a fence, a transaction id of its own. Every transaction that had drawn a position by then had
 * an id below the fence already, because a statement writes state before it appends events. Once none of those runs any
 * more, what is still missing was rolled back, and is skipped.
 *
 * @returns A function that resolves to at most `limit` events and the cursor behind them; to none while there is
 *   nothing new, or while it waits at a missing position.
 */
export function createReadEvents(db: Kysely<Tables>) {
  const readBehind = prepareReadBehind(db);
  const drawFence = prepareStatementOn<object, { fence: string }>(db, () =>
    db.selectNoFrom(sql<string>`pg_current_xact_id()::text`.as("fence")),
  );

  return async (cursor: Cursor, limit: number): Promise<{ events: RecordedEvent[]; cursor: Cursor }> => {
    const rows = await readBehind({ position: cursor.position, limit: BigInt(limit) });
    const events: RecordedEvent[] = [];
    let { position, fence } = cursor;
    for (const { oldest_running, ...event } of rows) {
      const isNext = event.position === position + 1n;
      const isGivenUp = fence !== null && BigInt(oldest_running) >= fence;
      if (!isNext && !isGivenUp) {
        fence ??= BigInt((await drawFence({}))[0]?.fence ?? 0);
        break;
      }
      events.push(event);
      position = event.position;
      // A fence holds for the positions that were missing behind the cursor when it was drawn, and for no later ones.
      fence = null;
    }
    return { events, cursor: { position, fence } };
  };
}

function prepareReadBehind(db: Kysely<Tables>) {
  return prepareStatementOn<{ position: bigint; limit: bigint }, RecordedEvent & { oldest_running: string }>(
    db,
    (param) =>
      db
        .selectFrom("events")
        .select(["position", "owner_id", "aggregate_id", "sequence", "type", "editor_id", "created_at", "payload"])
        // Of the same snapshot as the events.
        .select(sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as("oldest_running"))
        .where("position", ">", param("position", "bigint"))
        .orderBy("position")
        .limit(param("limit", "bigint"))
        .$castTo<RecordedEvent & { oldest_running: string }>(),
  );
}
