import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import type { Database } from "../../src/database/database.ts";
import { type EventSearch, listInstanceEvents, listOrgEvents, MOST_EXAMINED } from "../../src/events/list-events.ts";
import { createReadSettledPosition } from "../../src/events/settled-position.ts";
import { createTestDatabase, type TestDatabase, watchQueries } from "../support/databases/database.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";
import { until } from "../support/until.ts";

const ALL: EventSearch = { ascending: true, start: null, limit: 100 };

let database: TestDatabase;
let url: string;
async function open(): Promise<void> {
  database = await createTestDatabase("postgres");
  url = "url" in database.address ? database.address.url : "";
}

const call = (orgId = randomUUID()) => createPrincipalCall({ orgId, userId: randomUUID(), instanceId: randomUUID() });

describe("unfinished transactions", () => {
  const writers: pg.Client[] = [];
  beforeEach(open);
  afterEach(async () => {
    await Promise.all(writers.splice(0).map((writer) => writer.end()));
    await database.close();
  });

  async function begin(): Promise<pg.Client> {
    const writer = new pg.Client(url);
    writers.push(writer);
    await writer.connect();
    await writer.query("begin");
    await writer.query("select pg_current_xact_id()");
    return writer;
  }

  async function append(writer: pg.Client, type: string): Promise<void> {
    const text =
      "insert into events (owner_id, aggregate_id, sequence, type, created_at) values ($1, $1, 1, $2, now())";
    await writer.query(text, [randomUUID(), type]);
  }

  /**
   * Reads until a gap is passed. Transaction ids are those of the whole server, so a transaction of another test file can
   * hold that up for longer than one read waits.
   */
  async function expectPassed(read: () => Promise<bigint>, position: bigint): Promise<void> {
    await until(`position ${position} is settled`, async () => (await read()) === position);
  }

  test("a list stops before a gap that an unfinished transaction can fill", async () => {
    const parts = { db: database.db, readSettledPosition: createReadSettledPosition(database.db) };
    const typesOf = async (ascending: boolean) => {
      const { events, next } = await listInstanceEvents(parts, { ...ALL, ascending }, call());
      expect(next).toBe(0n);
      return events.map(({ type }) => type);
    };
    const first = await begin();
    await append(first, "first");
    await first.query("commit");
    expect(await typesOf(true)).toEqual(["first"]);
    const slow = await begin();
    await append(slow, "slow");
    const fast = await begin();
    await append(fast, "fast");
    await fast.query("commit");
    expect(await typesOf(true)).toEqual(["first"]);
    expect(await typesOf(false)).toEqual(["first"]);
    await slow.query("commit");
    expect(await typesOf(true)).toEqual(["first", "slow", "fast"]);
  });

  test("a gap of a transaction that was rolled back is passed", async () => {
    const failing = await begin();
    await append(failing, "failing");
    const fast = await begin();
    await append(fast, "fast");
    await fast.query("commit");
    await failing.query("rollback");
    const readSettledPosition = createReadSettledPosition(database.db);
    await expectPassed(readSettledPosition, 2n);
    const slow = await begin();
    await append(slow, "slow");
    const last = await begin();
    await append(last, "last");
    await last.query("commit");
    expect(await readSettledPosition()).toBe(2n);
    await slow.query("commit");
    expect(await readSettledPosition()).toBe(4n);
  });

  /** Reads the position; a test can hold back what a statement has read while other calls read. */
  function createHeldReader() {
    let hold: (() => Promise<void>) | undefined;
    const read = createReadSettledPosition(watchQueries(database.db, () => hold?.()));
    return {
      read,
      /** Starts to read. Resolves once the first statement has run, with a function that continues with its result. */
      async readAndHold(): Promise<() => Promise<bigint>> {
        const [hasRun, mayContinue] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        hold = async () => {
          hold = undefined;
          hasRun.resolve();
          await mayContinue.promise;
        };
        const result = read();
        await hasRun.promise;
        return () => {
          mayContinue.resolve();
          return result;
        };
      },
    };
  }

  async function commit(type: string): Promise<void> {
    const writer = await begin();
    await append(writer, type);
    await writer.query("commit");
  }

  test("a gap is not passed because another call passes one before it meanwhile", async () => {
    const { read, readAndHold } = createHeldReader();
    await commit("1");
    expect(await read()).toBe(1n);
    const failing = await begin();
    await append(failing, "2");
    await commit("3");
    // Allocates a fence for position 3.
    expect(await read()).toBe(1n);
    const slow = await begin();
    await append(slow, "4");
    await commit("5");
    // Two events after position 1, the last one at position 5.
    const proceed = await readAndHold();
    await failing.query("rollback");
    await expectPassed(read, 3n);
    expect(await proceed()).toBe(3n);
    await slow.query("commit");
    expect(await read()).toBe(5n);
  });

  test("a position stays settled when a call completes that has read before others", async () => {
    const { read, readAndHold } = createHeldReader();
    const failing = await begin();
    await append(failing, "1");
    await failing.query("rollback");
    await commit("2");
    await expectPassed(read, 2n);
    // While it is running, the gap at position 1 could not be passed again.
    await begin();
    await commit("3");
    const proceed = await readAndHold();
    await commit("4");
    expect(await read()).toBe(4n);
    expect(await proceed()).toBe(4n);
    expect(await read()).toBe(4n);
  });

  test("a position is settled after a standby without the last events was promoted", async () => {
    const readSettledPosition = createReadSettledPosition(database.db);
    for (const type of ["one", "two"]) {
      const writer = await begin();
      await append(writer, type);
      await writer.query("commit");
    }
    expect(await readSettledPosition()).toBe(2n);
    await sql`delete from events where position = 2`.execute(database.db);
    await sql`select setval(pg_get_serial_sequence('events', 'position'), 1)`.execute(database.db);
    expect(await readSettledPosition()).toBe(1n);
  });
});

describe("many events", () => {
  const EVENTS = 198_000;
  const owner = randomUUID();
  const object = randomUUID();
  const sent: Sent[] = [];
  let db: Database;
  let client: pg.Client;

  /** A third of the events has the owner; a third of those concern one object. The last has the rare type. */
  beforeAll(async () => {
    await open();
    // Without a time limit.
    client = new pg.Client(url);
    await client.connect();
    await client.query(
      `insert into events (owner_id, aggregate_id, sequence, type, editor_id, created_at, payload)
      select case when n % 3 = 0 then $1::uuid else gen_random_uuid() end,
        case when n % 9 = 0 then $2::uuid else gen_random_uuid() end, n,
        case when n = $3 then 'rare' else 'common' end, gen_random_uuid(), now() + n * interval '1 second', '{}'
      from generate_series(1, $3::integer) as n`,
      [owner, object, EVENTS],
    );
    await client.query("vacuum analyze events");
    db = watchQueries(database.db, ({ sql: text, parameters }) => void sent.push({ text, values: [...parameters] }));
  });
  afterAll(async () => {
    await client?.end();
    await database?.close();
  });

  /** The number of rows that a statement reads from the table. */
  async function rowsRead({ text, values }: Sent): Promise<number> {
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
    return readByScans(rows[0]["QUERY PLAN"][0].Plan);
  }

  test.each<[string, Partial<EventSearch>]>([
    ["a type", { types: ["rare"] }],
    ["an editor", { editorId: randomUUID() }],
    ["a time", { since: new Date(Date.now() + 1e9) }],
    ["an owner and a type", { resourceOwner: owner, types: ["rare"] }],
    ["an owner and an editor", { resourceOwner: owner, editorId: randomUUID() }],
    ["an owner that has none", { resourceOwner: randomUUID() }],
    ["an object that has none", { aggregateId: randomUUID() }],
    ["an object and a type", { aggregateId: object, types: ["rare"] }],
    ["an object of another owner", { aggregateId: object, resourceOwner: randomUUID() }],
  ])("a search by %s examines a bounded number of them", async (_what, conditions) => {
    const parts = { db, readSettledPosition: createReadSettledPosition(database.db) };
    for (const ascending of [true, false]) {
      sent.length = 0;
      await listInstanceEvents(parts, { ...ALL, ...conditions, ascending }, call());
      for (const statement of sent) expect(await rowsRead(statement)).toBeLessThanOrEqual(MOST_EXAMINED);
    }
  });

  test.each<[string, Partial<EventSearch>]>([
    ["all events", {}],
    ["those of an owner", { resourceOwner: owner }],
    ["those of an object", { aggregateId: object }],
    ["those after a position", { start: BigInt(EVENTS / 2) }],
  ])("a page of %s reads no more than it returns", async (_what, conditions) => {
    const parts = { db, readSettledPosition: createReadSettledPosition(database.db) };
    for (const ascending of [true, false]) {
      sent.length = 0;
      const { events } = await listInstanceEvents(parts, { ...ALL, ...conditions, ascending }, call());
      expect(events).toHaveLength(100);
      for (const statement of sent) expect(await rowsRead(statement)).toBeLessThanOrEqual(101);
    }
  });

  test("a search that finds nothing in what it examined says where it continues", async () => {
    const parts = { db, readSettledPosition: createReadSettledPosition(database.db) };
    for (const conditions of [{}, { resourceOwner: owner }]) {
      let start: bigint | null = null;
      let calls = 0;
      let found = 0;
      do {
        const search: EventSearch = { ...ALL, ...conditions, start, types: ["rare"] };
        const { events, next } = await listInstanceEvents(parts, search, call());
        found += events.length;
        calls += 1;
        start = next || null;
      } while (start !== null);
      expect({ found, calls: calls <= EVENTS / MOST_EXAMINED + 1 }).toEqual({ found: 1, calls: true });
    }
  });

  test("a page ends early if the payloads are large", async () => {
    await sql`update events set payload = jsonb_build_object('text', repeat('x', 300000)) where position <= 10`.execute(
      database.db,
    );
    const parts = { db, readSettledPosition: createReadSettledPosition(database.db) };
    const first = await listInstanceEvents(parts, ALL, call());
    expect(first).toMatchObject({ events: { length: 3 }, next: 3n });
    const second = await listInstanceEvents(parts, { ...ALL, start: first.next }, call());
    expect(second.events[0]?.position).toBe(4n);
  });

  test("the organization of the call is the owner", async () => {
    const parts = { db, readSettledPosition: createReadSettledPosition(database.db) };
    const { events } = await listOrgEvents(parts, ALL, call(owner));
    expect(new Set(events.map(({ owner_id }) => owner_id))).toEqual(new Set([owner]));
    expect(events).toHaveLength(100);
  });
});

/** A statement. */
interface Sent {
  readonly text: string;
  readonly values: unknown[];
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

function readByScans(plan: Plan): number {
  const { Plans = [] } = plan;
  const own =
    plan["Relation Name"] === "events"
      ? (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"]
      : 0;
  return own + Plans.reduce((sum, inner) => sum + readByScans(inner), 0);
}
