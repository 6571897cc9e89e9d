import type { EventRow } from "./list-events.ts";

/** An event that a feed has read. */
export interface FeedEvent extends EventRow {
  /** The organization of the editor. */
  readonly editor_org_id: string | null;
}

/** The events that a watcher wants. */
export interface EventFilter {
  /** Only the events of this organization, as its members see them; undefined for all. */
  readonly orgId: string | undefined;
  /** Undefined for all. */
  readonly types: ReadonlySet<string> | undefined;
}

export interface Taken {
  readonly events: readonly EventRow[];
  readonly position: bigint;
}

/** The latest events that a feed has read: those after a position, up to another. */
export interface KeptEvents {
  /** The position up to which the feed has read. */
  readonly to: () => bigint;
  /** Drops all events. The next ones follow this position. */
  restartAt(position: bigint): void;
  /** Appends an event, and drops the oldest ones if there are too many. */
  add(event: FeedEvent, bytes: number): void;
  /** Notes that all events up to this position have been added. */
  reach(position: bigint): void;
  /** See `FeedMembership.take`. */
  take(after: bigint, filter: EventFilter): Taken | undefined;
}

/** Events that a watcher takes at once. */
const BATCH = 100;
/** At most this many events are kept, with payloads of about this many bytes at most. */
const MOST_KEPT = 10_000;
const MOST_BYTES = 16_000_000;
/** A part with this many events or bytes gets no more. */
const PART = 1_000;
const PART_BYTES = 1_000_000;

/**
 * Events that are dropped together, in the order of their positions. They are indexed, because with many watchers, each
 * of which wants few of the events, most of the time would otherwise go to events that a watcher does not want.
 */
interface Part {
  readonly events: EventRow[];
  readonly byType: Map<string, EventRow[]>;
  /** As the members of the organization see them. */
  readonly byOrg: Map<string, EventRow[]>;
  bytes: number;
}

export function createKeptEvents(): KeptEvents {
  let parts: Part[] = [];
  let from = 0n;
  let to = 0n;

  return {
    to: () => to,
    restartAt(position) {
      parts = [];
      from = position;
      to = position;
    },
    add(event, bytes) {
      let part = parts.at(-1);
      if (part === undefined || part.events.length >= PART || part.bytes >= PART_BYTES) {
        part = { events: [], byType: new Map(), byOrg: new Map(), bytes: 0 };
        parts.push(part);
      }
      addToPart(part, event, bytes);
      while (isTooMuch(parts)) from = parts.shift()?.events.at(-1)?.position ?? from;
    },
    reach(position) {
      to = position;
    },
    take(after, filter) {
      if (after < from) return undefined;
      if (after >= to) return { events: [], position: after };
      const events = findFirst(parts, after, filter);
      const last = events.length === BATCH ? events.at(-1) : undefined;
      return { events, position: last?.position ?? to };
    },
  };
}

function isTooMuch(parts: readonly Part[]): boolean {
  let [count, totalBytes] = [0, 0];
  for (const { events, bytes } of parts) {
    count += events.length;
    totalBytes += bytes;
  }
  return count > MOST_KEPT || totalBytes > MOST_BYTES;
}

function addToPart(part: Part, { editor_org_id: editorOrgId, ...event }: FeedEvent, bytes: number): void {
  part.events.push(event);
  append(part.byType, event.type, event);
  // Editors of other organizations have no name.
  const isHidden = editorOrgId !== null && editorOrgId !== event.owner_id;
  append(part.byOrg, event.owner_id, isHidden ? { ...event, editor_name: null } : event);
  part.bytes += bytes;
}

function append(lists: Map<string, EventRow[]>, key: string, event: EventRow): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [event]);
  else list.push(event);
}

/** The first events after a position that match, at most `BATCH`. */
function findFirst(parts: readonly Part[], after: bigint, filter: EventFilter): readonly EventRow[] {
  const found: EventRow[] = [];
  for (const part of parts) {
    if ((part.events.at(-1)?.position ?? 0n) <= after) continue;
    const candidates = select(part, filter);
    for (let index = indexAfter(candidates, after); index < candidates.length; index++) {
      const event = candidates[index];
      if (event === undefined || filter.types?.has(event.type) === false) continue;
      found.push(event);
      if (found.length === BATCH) return found;
    }
  }
  return found;
}

/** The events of a part among which those that match are, in order. */
function select({ events, byType, byOrg }: Part, { orgId, types }: EventFilter): readonly EventRow[] {
  if (orgId !== undefined) return byOrg.get(orgId) ?? [];
  if (types === undefined) return events;
  const lists = [...types].map((type) => byType.get(type) ?? []).filter(({ length }) => length > 0);
  if (lists.length <= 1) return lists[0] ?? [];
  return lists.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** The index of the first event after a position. */
function indexAfter(events: readonly EventRow[], position: bigint): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.position ?? 0n) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
