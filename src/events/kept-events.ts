import type { EventRow } from "./list-events.ts";

export interface FeedEvent extends EventRow {
  /** The organization of the editor. */
  readonly editor_org_id: string | null;
}

export interface Taken {
  readonly events: readonly FeedEvent[];
  readonly position: bigint;
}

/** The latest events that a feed has read: those after a position, up to another. */
export interface KeptEvents {
  /** The position up to which the feed has read. */
  readonly to: () => bigint;
  /** Drops all events. The next ones follow this position. */
  restartAt(position: bigint): void;
  /** Appends an event, and drops the oldest ones that are too many. */
  add(event: FeedEvent, bytes: number): void;
  /** Notes that all events up to this position have been added. */
  reach(position: bigint): void;
  /** See `FeedMembership.take`. */
  take(after: bigint, matches: (event: FeedEvent) => boolean): Taken | undefined;
}

/** Events that a watcher takes at once. */
const BATCH = 100;
/** At most this many events are kept, with payloads of about this many bytes at most. */
const MOST_KEPT = 10_000;
const MOST_BYTES = 16_000_000;

export function createKeptEvents(): KeptEvents {
  let kept: { readonly event: FeedEvent; readonly bytes: number }[] = [];
  let totalBytes = 0;
  let from = 0n;
  let to = 0n;

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
    to: () => to,
    restartAt(position) {
      kept = [];
      totalBytes = 0;
      from = position;
      to = position;
    },
    add(event, bytes) {
      kept.push({ event, bytes });
      totalBytes += bytes;
      let dropped = 0;
      while (kept.length - dropped > MOST_KEPT || totalBytes > MOST_BYTES) {
        const oldest = kept[dropped];
        if (oldest === undefined) break;
        totalBytes -= oldest.bytes;
        from = oldest.event.position;
        dropped += 1;
      }
      if (dropped > 0) kept = kept.slice(dropped);
    },
    reach(position) {
      to = position;
    },
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
  };
}
