import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Principal } from "../../src/actor.ts";
import type { Database } from "../../src/database/database.ts";
import { createEventFeed } from "../../src/events/event-feed.ts";
import type { WatchItem } from "../../src/events/kept-events.ts";
import { createReadSettledPosition } from "../../src/events/settled-position.ts";
import { type WatchEventsParts, watchEvents } from "../../src/events/watch-events.ts";
import { createTestDatabase, type TestDatabase, watchQueries } from "../support/databases/database.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";

let database: TestDatabase;
let client: pg.Client;
const control = new AbortController();
const errors: unknown[] = [];

beforeEach(async () => {
  database = await createTestDatabase("postgres");
  client = new pg.Client("url" in database.address ? database.address.url : "");
  await client.connect();
  errors.length = 0;
});
afterEach(async () => {
  await client?.end();
  await database?.close();
});

const owner = randomUUID();
const call = createPrincipalCall({ orgId: owner, userId: randomUUID(), instanceId: randomUUID() });

function createParts(db: Database, heartbeatMs = 60_000, pollMs = 2): WatchEventsParts {
  const readSettledPosition = createReadSettledPosition(db);
  const feed = createEventFeed({ db, readSettledPosition, onError: (error) => errors.push(error), pollMs });
  return { db, readSettledPosition, feed, catchUp: (run) => run(), heartbeatMs, recheckMs: 60_000 };
}

function watch(parts: WatchEventsParts, after: bigint | undefined, recheck = async (): Promise<Principal> => call) {
  return flatten(watchLists(parts, after, recheck));
}

function watchLists(
  parts: WatchEventsParts,
  after: bigint | undefined,
  recheck = async (): Promise<Principal> => call,
) {
  return watchEvents(parts, "instance", { after, types: undefined }, { call, signal: control.signal, recheck });
}

async function* flatten(lists: AsyncGenerator<readonly WatchItem[], void>): AsyncGenerator<WatchItem, void> {
  for await (const items of lists) yield* items;
}

async function append(count: number, on: pg.Client = client): Promise<void> {
  await on.query(
    `insert into events (owner_id, aggregate_id, sequence, type, created_at, payload)
    select $1, gen_random_uuid(), n, 'some.event', now(), '{}' from generate_series(1, $2::integer) as n`,
    [owner, count],
  );
}

async function nextEvent(items: AsyncGenerator<WatchItem, void>): Promise<bigint> {
  for (;;) {
    const { value, done } = await items.next();
    if (done) throw new Error("the stream has ended");
    if (value.event !== undefined) return value.event.position;
  }
}

test("a slow reader gets every event in order, also those that the feed no longer has", async () => {
  const parts = createParts(database.db);
  const fast = watch(parts, undefined);
  await fast.next();
  const slow = watch(parts, 0n);
  const EVENTS = 12_000;
  await append(EVENTS);
  const read = async (items: AsyncGenerator<WatchItem, void>) => {
    const positions: bigint[] = [];
    while (positions.length < EVENTS) positions.push(await nextEvent(items));
    return positions;
  };
  const all = Array.from({ length: EVENTS }, (_, n) => BigInt(n + 1));
  // The slow reader holds a list of a few events while the others pass.
  expect(await nextEvent(slow)).toBe(1n);
  expect(await read(fast)).toEqual(all);
  const rest: bigint[] = [1n];
  while (rest.length < EVENTS) rest.push(await nextEvent(slow));
  expect(rest).toEqual(all);
  await fast.return();
  await slow.return();
});

test("many watchers cause as many statements as one", async () => {
  let sent = 0;
  const parts = createParts(
    watchQueries(database.db, () => void sent++),
    60_000,
    100,
  );
  const first = watch(parts, undefined);
  await first.next();
  const others = Array.from({ length: 200 }, () => watch(parts, undefined));
  await Promise.all(others.map((items) => items.next()));
  const before = sent;
  await append(1);
  const positions = await Promise.all([first, ...others].map(nextEvent));
  expect(new Set(positions).size).toBe(1);
  // One reads the position of the last event, one the event; the reader may look again in the meantime.
  expect(sent - before).toBeLessThan(100);
  await Promise.all([first, ...others].map((items) => items.return()));
});

test("the feed starts again for a watcher that joins after all have left", async () => {
  const parts = createParts(database.db);
  const items = watch(parts, undefined);
  await items.next();
  await items.return();
  await append(1);
  const again = watch(parts, 0n);
  expect(await nextEvent(again)).toBe(1n);
  await append(1);
  expect(await nextEvent(again)).toBe(2n);
  await again.return();
});

test("no event is sent before one that an unfinished transaction can still add", async () => {
  const parts = createParts(database.db);
  const items = watch(parts, 0n);
  const slow = new pg.Client("url" in database.address ? database.address.url : "");
  await slow.connect();
  await slow.query("begin");
  await slow.query("select pg_current_xact_id()");
  await append(1, slow);
  await append(1);
  const first = nextEvent(items);
  await slow.query("commit");
  await slow.end();
  expect([await first, await nextEvent(items)]).toEqual([1n, 2n]);
  await items.return();
});

test("a watcher continues after its connections to the database were lost", async () => {
  const parts = createParts(database.db);
  const items = watch(parts, undefined);
  await items.next();
  const next = nextEvent(items);
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await append(1);
  expect(await next).toBe(1n);
  await items.return();
});

test("a caller that may not watch any more gets no event", async () => {
  const parts = { ...createParts(database.db, 5), recheckMs: 0 };
  const revoked = new Error("revoked");
  let isRevoked = false;
  const items = watch(parts, undefined, async () => {
    if (isRevoked) throw revoked;
    return call;
  });
  await items.next();
  isRevoked = true;
  await append(1);
  await expect(nextEvent(items)).rejects.toBe(revoked);
});

test("a caller that may not watch any more gets no further event, also if it was held back", async () => {
  const parts = { ...createParts(database.db), recheckMs: 0 };
  let isRevoked = false;
  const lists = watchLists(parts, 0n, async () => {
    if (isRevoked) throw new Error("revoked");
    return call;
  });
  // The feed reads all of them at once.
  await append(100);
  let count = 0;
  while (count === 0) count = (await lists.next()).value?.filter(({ event }) => event !== undefined).length ?? 0;
  expect(count).toBeLessThan(100);
  isRevoked = true;
  await expect(lists.next()).rejects.toThrow("revoked");
});
