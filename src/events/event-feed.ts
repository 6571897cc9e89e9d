import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { EventRow } from "./list-events.ts";
import type { ReadSettledPosition } from "./settled-position.ts";

/** The latest events of a process, which one reader reads for all watchers. It reads only while there are watchers. */
export interface EventFeed {
  /**
   * Adds a watcher. Once it resolves, the feed reads.
   *
   * @param signal Ends the wait.
   */
  join(signal: AbortSignal): Promise<FeedMembership>;
}

export interface FeedMembership {
  /** The position up to which the feed has read. */
  readonly position: () => bigint;
  /**
   * The events after a position that the feed still has, at most `BATCH` of those that match, and the position up to
   * which it has looked. Undefined if it no longer has all of them.
   */
  take(after: bigint, matches: (event: FeedEvent) => boolean): Taken | undefined;
  /** Resolves once the feed has read more events, the time has passed, or the signal is aborted. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void>;
  leave(): void;
}

export interface FeedEvent extends EventRow {
  /** The organization of the editor. */
  readonly editor_org_id: string | null;
}

export interface Taken {
  readonly events: readonly FeedEvent[];
  readonly position: bigint;
}

/** How often the reader looks for events. */
const POLL_MS = 100;
/** After an error of the database. */
const RETRY_MS = 1_000;
/** Events that the reader reads at once, and that a watcher takes at once. */
const READ = 1_000;
const BATCH = 100;
/** The feed keeps this many events, with payloads of about this many bytes at most. */
const MOST_KEPT = 10_000;
const MOST_BYTES = 16_000_000;
/** Watchers that continue in one turn of the event loop. */
const WOKEN_AT_ONCE = 50;

export interface EventFeedParts {
  readonly db: Database;
  readonly readSettledPosition: ReadSettledPosition;
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number | undefined;
}

export function createEventFeed({ db, readSettledPosition, onError, pollMs = POLL_MS }: EventFeedParts): EventFeed {
  const waiting = new Set<() => void>();
  let watchers = 0;
  let kept: { readonly event: FeedEvent; readonly bytes: number }[] = [];
  let bytes = 0;
  /** The feed has the events after `from`, up to `to`. */
  let from = 0n;
  let to = 0n;
  let isReading = false;
  /** Settles with the first position of the reader. */
  let started: Promise<void> = Promise.resolve();

  async function read(started: () => void): Promise<void> {
    let isStarted = false;
    while (watchers > 0) {
      try {
        const settled = await readSettledPosition();
        if (!isStarted || settled < to) {
          // A standby that was promoted may lack the last events: those that the feed has are not read again.
          kept = [];
          bytes = 0;
          from = settled;
          to = settled;
          isStarted = true;
          started();
          await wake();
        }
        if (settled === to) {
          await delay(pollMs);
          continue;
        }
        const rows = await selectBetween(db, { after: to, last: settled, limit: BigInt(READ) });
        for (const { bytes: size, ...event } of rows) keep(event, Number(size));
        to = rows.length < READ ? settled : (rows.at(-1)?.position ?? settled);
        await wake();
      } catch (error) {
        onError(error);
        await delay(RETRY_MS);
      }
    }
    kept = [];
    bytes = 0;
    isReading = false;
  }

  function keep(event: FeedEvent, size: number): void {
    kept.push({ event, bytes: size });
    bytes += size;
    let dropped = 0;
    while (kept.length - dropped > MOST_KEPT || (bytes > MOST_BYTES && dropped < kept.length)) {
      const oldest = kept[dropped];
      if (oldest === undefined) break;
      bytes -= oldest.bytes;
      from = oldest.event.position;
      dropped += 1;
    }
    if (dropped > 0) kept = kept.slice(dropped);
  }

  /** Lets the watchers continue, a few in each turn of the event loop. */
  async function wake(): Promise<void> {
    let woken = 0;
    for (const resolve of [...waiting]) {
      resolve();
      woken += 1;
      if (woken % WOKEN_AT_ONCE === 0) await setImmediate();
    }
  }

  /** The index of the first event after a position. */
  function indexAfter(position: bigint): number {
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((kept[middle]?.event.position ?? 0n) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    async join(signal) {
      watchers += 1;
      if (!isReading) {
        isReading = true;
        const { promise, resolve } = Promise.withResolvers<void>();
        started = promise;
        void read(resolve);
      }
      let hasLeft = false;
      const leave = () => {
        if (!hasLeft) watchers -= 1;
        hasLeft = true;
      };
      const aborted = Promise.withResolvers<void>();
      const onAbort = () => aborted.resolve();
      signal.addEventListener("abort", onAbort);
      await Promise.race([started, aborted.promise]);
      signal.removeEventListener("abort", onAbort);
      return {
        position: () => to,
        take(after, matches) {
          if (after < from) return undefined;
          if (after >= to) return { events: [], position: after };
          const events: FeedEvent[] = [];
          for (let index = indexAfter(after); index < kept.length; index++) {
            const event = kept[index]?.event;
            if (event === undefined || !matches(event)) continue;
            events.push(event);
            if (events.length === BATCH) return { events, position: event.position };
          }
          return { events, position: to };
        },
        changed(timeoutMs, signal) {
          return new Promise((resolve) => {
            const done = () => {
              waiting.delete(done);
              clearTimeout(timer);
              signal.removeEventListener("abort", done);
              resolve();
            };
            const timer = setTimeout(done, timeoutMs);
            if (signal.aborted) return done();
            waiting.add(done);
            signal.addEventListener("abort", done);
          });
        },
        leave,
      };
    },
  };
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
