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

/** An event, or a heartbeat without one. All events up to the position that match were sent. */
export interface WatchItem {
  readonly event?: EventRow;
  readonly position: bigint;
  /** The message in each format. What encodes an item first stores it here for the other watchers that get the item. */
  readonly encoded?: { [format: string]: Buffer | undefined };
}

/** An item of an event. */
type EventItem = WatchItem & { readonly event: EventRow };

/** An item that is kept. If its event is erased, it also changes for the watchers that have not sent it yet. */
interface KeptItem extends WatchItem {
  event: EventRow;
  encoded: NonNullable<WatchItem["encoded"]>;
}

export interface Taken {
  readonly items: readonly EventItem[];
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
  /** Notes that all events up to this position have been added. Erases what they have erased in the database. */
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
  readonly items: KeptItem[];
  readonly byType: Map<string, KeptItem[]>;
  /** As the members of the organization see them. */
  readonly byOrg: Map<string, KeptItem[]>;
  bytes: number;
}

export function createKeptEvents(): KeptEvents {
  let parts: Part[] = [];
  let from = 0n;
  let to = 0n;
  /** The users since the last `reach`, and the organizations of all kept events: running calls may still add events. */
  const removed: Removed = { users: new Set(), orgs: new Set() };
  let mustErase = false;

  function dropOldest(): void {
    const dropped = parts.shift();
    for (const { event } of dropped?.byType.get("org.removed") ?? []) removed.orgs.delete(event.owner_id);
    from = dropped?.items.at(-1)?.position ?? from;
  }

  return {
    to: () => to,
    restartAt(position) {
      parts = [];
      removed.orgs.clear();
      from = position;
      to = position;
    },
    add(event, bytes) {
      let part = parts.at(-1);
      if (part === undefined || part.items.length >= PART || part.bytes >= PART_BYTES) {
        part = { items: [], byType: new Map(), byOrg: new Map(), bytes: 0 };
        parts.push(part);
      }
      addToPart(part, event, bytes);
      if (noteRemoval(removed, event)) mustErase = true;
      while (isTooMuch(parts)) dropOldest();
    },
    reach(position) {
      to = position;
      if (!mustErase) return;
      eraseItems(parts, removed);
      removed.users.clear();
      mustErase = false;
    },
    take(after, filter) {
      if (after < from) return undefined;
      if (after >= to) return { items: [], position: after };
      const items = findFirst(parts, after, filter);
      const last = items.length === BATCH ? items.at(-1) : undefined;
      return { items, position: last?.position ?? to };
    },
  };
}

function isTooMuch(parts: readonly Part[]): boolean {
  let [count, totalBytes] = [0, 0];
  for (const { items, bytes } of parts) {
    count += items.length;
    totalBytes += bytes;
  }
  return count > MOST_KEPT || totalBytes > MOST_BYTES;
}

function addToPart(part: Part, { editor_org_id: editorOrgId, ...event }: FeedEvent, bytes: number): void {
  const item = toItem(event);
  part.items.push(item);
  append(part.byType, event.type, item);
  // Editors of other organizations have no name.
  const isHidden = editorOrgId !== null && editorOrgId !== event.owner_id;
  append(part.byOrg, event.owner_id, isHidden ? toItem({ ...event, editor_name: null }) : item);
  part.bytes += bytes;
}

/** Erases the events of items, and what was encoded of them. */
function eraseItems(parts: readonly Part[], removed: Removed): void {
  const items = parts.flatMap((part) => [part.items, ...part.byOrg.values()]).flat();
  for (const item of items) {
    const event = eraseEvent(item.event, removed);
    if (event === item.event) continue;
    item.event = event;
    item.encoded = {};
  }
}

function toItem(event: EventRow): KeptItem {
  return { event, position: event.position, encoded: {} };
}

function append(lists: Map<string, KeptItem[]>, key: string, item: KeptItem): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The first events after a position that match, at most `BATCH`. */
function findFirst(parts: readonly Part[], after: bigint, filter: EventFilter): readonly EventItem[] {
  const found: EventItem[] = [];
  for (const part of parts) {
    if ((part.items.at(-1)?.position ?? 0n) <= after) continue;
    const candidates = select(part, filter);
    for (let index = indexAfter(candidates, after); index < candidates.length; index++) {
      const item = candidates[index];
      if (item === undefined || filter.types?.has(item.event.type) === false) continue;
      found.push(item);
      if (found.length === BATCH) return found;
    }
  }
  return found;
}

/** The events of a part among which those that match are, in order. */
function select({ items, byType, byOrg }: Part, { orgId, types }: EventFilter): readonly KeptItem[] {
  if (orgId !== undefined) return byOrg.get(orgId) ?? [];
  if (types === undefined) return items;
  const lists = [...types].map((type) => byType.get(type) ?? []).filter(({ length }) => length > 0);
  if (lists.length <= 1) return lists[0] ?? [];
  return lists.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** The index of the first event after a position. */
function indexAfter(items: readonly EventItem[], position: bigint): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.position ?? 0n) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Users and organizations that were removed, by their ids. */
interface Removed {
  readonly users: Set<string>;
  readonly orgs: Set<string>;
}

/** Notes what an event removes. Returns whether `eraseEvent` may change this event or earlier ones. */
function noteRemoval({ users, orgs }: Removed, event: EventRow): boolean {
  if (event.type === "user.removed") users.add(event.aggregate_id);
  if (event.type === "org.removed") orgs.add(event.owner_id);
  return event.type === "user.removed" || orgs.has(event.owner_id);
}

/**
 * Returns an event as a list returns it once the removals are complete (`remove-user.ts`, `src/instance/org-removal`):
 * that of a removed user or organization without payload, and one that a removed user caused without the user's name.
 * Returns the same event if nothing changes.
 */
function eraseEvent(event: EventRow, { users, orgs }: Removed): EventRow {
  const { type, owner_id, aggregate_id, editor_id, editor_name, payload } = event;
  const isOfUser = users.has(aggregate_id) && type !== "user.removed";
  const isOfOrg = orgs.has(owner_id) && payload !== null && Object.keys(payload).length > 0;
  const losesPayload = payload !== null && (isOfUser || isOfOrg);
  const losesName = editor_name !== null && editor_id !== null && users.has(editor_id);
  if (!losesPayload && !losesName) return event;
  return { ...event, payload: losesPayload ? null : payload, editor_name: losesName ? null : editor_name };
}
