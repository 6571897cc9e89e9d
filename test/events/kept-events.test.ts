import { createKeptEvents, type EventFilter, type FeedEvent } from "../../src/events/kept-events.ts";

const [OWN, OTHER] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];
const ALL: EventFilter = { orgId: undefined, types: undefined };

function eventAt(position: bigint, fields: Partial<FeedEvent> = {}): FeedEvent {
  const [aggregateId, editorId] = [`object-${position}`, "editor"];
  return {
    position,
    owner_id: OWN,
    aggregate_id: aggregateId,
    type: "some.event",
    editor_id: editorId,
    editor_name: "Ada",
    editor_org_id: OWN,
    created_at: new Date(0),
    payload: {},
    ...fields,
  };
}

function keep(events: readonly FeedEvent[], bytes = 10) {
  const kept = createKeptEvents();
  kept.restartAt(0n);
  for (const event of events) kept.add(event, bytes);
  kept.reach(events.at(-1)?.position ?? 0n);
  return kept;
}

function createEvents(count: number, fields: (n: number) => Partial<FeedEvent> = () => ({})): FeedEvent[] {
  return Array.from({ length: count }, (_, n) => eventAt(BigInt(n + 1), fields(n)));
}

/** The positions of all events that match. */
function takeAll(kept: ReturnType<typeof keep>, filter: EventFilter, after = 0n): bigint[] {
  const positions: bigint[] = [];
  for (let position = after; position < kept.to(); ) {
    const taken = kept.take(position, filter);
    if (taken === undefined) throw new Error(`the events after ${position} were dropped`);
    positions.push(...taken.items.map((item) => item.position));
    position = taken.position;
  }
  return positions;
}

test("a watcher gets all events after its position in order, a hundred at once", () => {
  const kept = keep(createEvents(2_500));
  const { items, position } = kept.take(1_950n, ALL) ?? {};
  expect([items?.length, position]).toEqual([100, 2_050n]);
  expect(takeAll(kept, ALL, 1_950n)).toEqual(Array.from({ length: 550 }, (_, n) => BigInt(1_951 + n)));
});

test.each([
  ["one type", ["b"]],
  ["several types", ["c", "a"]],
  ["a type that no event has", ["d"]],
])("a watcher of %s gets those, and the position up to which there are no others", (_, types) => {
  const names = ["a", "b", "c"];
  const events = createEvents(2_500, (n) => ({ type: names[n % 3] ?? "", owner_id: n % 2 === 0 ? OWN : OTHER }));
  const kept = keep(events);
  const wanted = (orgId?: string) =>
    events.filter(({ type, owner_id }) => types.includes(type) && (orgId ?? owner_id) === owner_id);
  const ofTypes = { orgId: undefined, types: new Set(types) };
  expect(takeAll(kept, ofTypes)).toEqual(wanted().map(({ position }) => position));
  expect(takeAll(kept, { ...ofTypes, orgId: OTHER })).toEqual(wanted(OTHER).map(({ position }) => position));
  expect(kept.take(2_498n, { orgId: undefined, types: new Set(["d"]) })).toEqual({ items: [], position: 2_500n });
});

test("the members of an organization see no names of editors of others, the members of the instance do", () => {
  const editors = [OWN, OTHER, null];
  const kept = keep(createEvents(3, (n) => ({ editor_org_id: editors[n] ?? null })));
  const namesOf = (filter: EventFilter) => kept.take(0n, filter)?.items.map(({ event }) => event.editor_name);
  expect(namesOf({ orgId: OWN, types: undefined })).toEqual(["Ada", null, "Ada"]);
  expect(namesOf(ALL)).toEqual(["Ada", "Ada", "Ada"]);
});

test("watchers with the same view of an event get the same item", () => {
  const kept = keep(createEvents(1));
  const first = (filter: EventFilter) => kept.take(0n, filter)?.items[0];
  expect(first({ orgId: undefined, types: new Set(["some.event"]) })).toBe(first(ALL));
  expect(first({ orgId: OWN, types: undefined })).toBe(first(ALL));
});

test.each([
  ["10,000 events", 12_000, 10],
  ["16 MB", 200, 100_000],
])("the oldest events are dropped beyond %s", (_, count, bytes) => {
  const kept = keep(createEvents(count), bytes);
  expect(kept.take(0n, ALL)).toBeUndefined();
  let from = BigInt(count);
  while (from > 0n && kept.take(from - 1n, ALL) !== undefined) from -= 1n;
  const left = count - Number(from);
  const most = Math.min(10_000, 16_000_000 / bytes);
  expect(left).toBeLessThanOrEqual(most);
  expect(left).toBeGreaterThan(most * 0.9 - 1);
  expect(takeAll(kept, ALL, from)).toHaveLength(left);
});
