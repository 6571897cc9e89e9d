import { createKeptEvents, type EventFilter, type FeedEvent } from "../../src/events/kept-events.ts";
import { encodeItems } from "../../src/rpc/streams/event-messages.ts";

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

test("the events of a removed user lose payload and encoding, and those that the user caused the name", () => {
  const [payload, user] = [{ firstName: "Augusta" }, "user"];
  const events = [
    eventAt(1n, { aggregate_id: user, payload }),
    // The members of the other organization see no editor, so they get another item.
    eventAt(2n, { owner_id: OTHER, editor_id: user, payload }),
    eventAt(3n, { payload }),
  ];
  const kept = keep(events);
  const filters: EventFilter[] = [ALL, ...[OWN, OTHER].map((orgId) => ({ orgId, types: undefined }))];
  const takeAgain = () => filters.flatMap((filter) => kept.take(0n, filter)?.items ?? []);
  const taken = takeAgain();
  const isSent = (text: string) =>
    (["binary", "json"] as const).map((format) => encodeItems(taken, format).includes(text));
  expect([isSent("Augusta"), isSent("Ada")]).toEqual([
    [true, true],
    [true, true],
  ]);

  kept.add(eventAt(4n, { aggregate_id: user, type: "user.removed" }), 10);
  kept.add(eventAt(5n, { payload }), 10);
  kept.reach(5n);
  const seen = takeAgain().map(({ event }) => [event.position, event.payload, event.editor_name]);
  expect(seen).toEqual([
    [1n, null, "Ada"],
    [2n, payload, null],
    [3n, payload, "Ada"],
    [4n, {}, "Ada"],
    [5n, payload, "Ada"],
    [1n, null, "Ada"],
    [3n, payload, "Ada"],
    [4n, {}, "Ada"],
    [5n, payload, "Ada"],
    [2n, payload, null],
  ]);
  // Also for a watcher that has not sent them yet.
  const first = taken.slice(0, 1);
  expect(encodeItems(first, "binary").includes("Augusta")).toBe(false);
  expect(encodeItems(first, "json").includes("Augusta")).toBe(false);
});

test("the events of a removed organization lose their payloads, also those that calls add at the last moment", () => {
  const payload = { name: "Acme" };
  const kept = keep([eventAt(1n, { payload }), eventAt(2n), eventAt(3n, { owner_id: OTHER, payload })]);
  kept.add(eventAt(4n, { aggregate_id: OWN, type: "org.removed" }), 10);
  kept.reach(4n);
  const payloads = () => kept.take(0n, ALL)?.items.map(({ event }) => event.payload);
  expect(payloads()).toEqual([null, {}, payload, {}]);
  kept.add(eventAt(5n, { payload }), 10);
  kept.add(eventAt(6n, { owner_id: OTHER, payload }), 10);
  kept.reach(6n);
  expect(payloads()).toEqual([null, {}, payload, {}, null, payload]);
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
