import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { createKeptEvents, type EventFilter, type FeedEvent, type KeptEvents, type Taken } from "./kept-events.ts";
import type { ReadSettledPosition } from "./settled-position.ts";
import { createWaitingWatchers, type WaitingWatchers } from "./waiting-watchers.ts";

/** The latest events of a process, which one reader reads for all watchers. It reads only while there are watchers. */
export interface EventFeed {
  /**
   * Adds a watcher. Once it resolves, the feed reads.
   *
   * @param signal Ends this wait and those of the watcher.
   */
  join(signal: AbortSignal): Promise<FeedMembership>;
}

export interface FeedMembership {
  /** The position up to which the feed has read. */
  readonly position: () => bigint;
  /**
   * The events after a position that the feed still has, at most 100 of those that match, and the position up to which it
   * has looked. Undefined if it no longer has all of them. All watchers that take an event get the same item.
   */
  take(after: bigint, filter: EventFilter): Taken | undefined;
  /** Resolves once the feed has read more events, the time has passed, or the signal is aborted. */
  changed(timeoutMs: number): Promise<void>;
  leave(): void;
}

/** How often the reader looks for events. */
const POLL_MS = 100;
/** After an error of the database. */
const RETRY_MS = 1_000;
/** Events that the reader reads at once. */
const READ = 1_000;

interface EventFeedParts {
  readonly db: Database;
  readonly readSettledPosition: ReadSettledPosition;
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number | undefined;
}

export function createEventFeed(parts: EventFeedParts): EventFeed {
  const kept = createKeptEvents();
  const waiting = createWaitingWatchers();
  let watchers = 0;
  const reader = createReader(parts, { kept, waiting, isWatched: () => watchers > 0 });

  return {
    async join(signal) {
      watchers += 1;
      const watcher = waiting.add(signal);
      let hasLeft = false;
      await orAborted(reader.start(), signal);
      return {
        position: kept.to,
        take: kept.take,
        changed: watcher.wait,
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          watchers -= 1;
          watcher.remove();
        },
      };
    },
  };
}

interface Read {
  readonly kept: KeptEvents;
  readonly waiting: WaitingWatchers;
  readonly isWatched: () => boolean;
}

function createReader(
  { db, readSettledPosition, onError, pollMs = POLL_MS }: EventFeedParts,
  { kept, waiting, isWatched }: Read,
) {
  let isReading = false;
  /** Settles with the first position of the reader. */
  let started = Promise.withResolvers<void>();

  /** Reads until there are no watchers. */
  async function read(): Promise<void> {
    let isStarted = false;
    while (isWatched()) {
      try {
        const settled = await readSettledPosition();
        if (!isStarted || settled < kept.to()) {
          // A standby that was promoted may lack the last events: those that the feed has are not read again.
          kept.restartAt(settled);
          isStarted = true;
          started.resolve();
          await waiting.wake();
        }
        if (settled === kept.to()) {
          await delay(pollMs);
          continue;
        }
        await readUpTo(db, kept, settled);
        await waiting.wake();
      } catch (error) {
        onError(error);
        await delay(RETRY_MS);
      }
    }
    kept.restartAt(kept.to());
    isReading = false;
  }

  return {
    /** Starts to read, unless it does already. Resolves once there is a position. */
    start(): Promise<void> {
      if (!isReading) {
        isReading = true;
        started = Promise.withResolvers();
        void read();
      }
      return started.promise;
    },
  };
}

async function readUpTo(db: Database, kept: KeptEvents, settled: bigint): Promise<void> {
  const rows = await selectBetween(db, { after: kept.to(), last: settled, limit: BigInt(READ) });
  for (const { bytes, ...event } of rows) kept.add(event, Number(bytes));
  kept.reach(rows.length < READ ? settled : (rows.at(-1)?.position ?? settled));
}

/** Resolves when the promise does, or when the signal is aborted. */
async function orAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener("abort", onAbort);
  await Promise.race([promise, aborted.promise]);
  signal.removeEventListener("abort", onAbort);
}

type ReadRow = FeedEvent & { readonly bytes: bigint };

const selectBetween = prepareStatement<{ after: bigint; last: bigint; limit: bigint }, ReadRow>((db, param) =>
  db
    .selectFrom("events")
    .leftJoin("users as editor", "editor.id", "events.editor_id")
    .select(["events.position", "events.owner_id", "events.aggregate_id", "events.type", "events.editor_id"])
    .select(["events.created_at", "events.payload", "editor.org_id as editor_org_id"])
    .select([
      sql<string | null>`coalesce(editor.display_name, editor.user_name)`.as("editor_name"),
      sql<bigint>`coalesce(octet_length(events.payload::text), 0)::bigint`.as("bytes"),
    ])
    .where("events.position", ">", param("after", "bigint"))
    .where("events.position", "<=", param("last", "bigint"))
    .orderBy("events.position")
    .limit(param("limit", "bigint"))
    .$castTo<ReadRow>(),
);
