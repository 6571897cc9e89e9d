import { randomUUID } from "node:crypto";
import pg from "pg";
import { type Cursor, START } from "../../examples/events/read-events.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";
import { followEvents } from "../support/databases/follow-events.ts";
import { until } from "../support/until.ts";

describe("a follower of events", () => {
  let database: TestDatabase;
  const writers: pg.Client[] = [];
  beforeEach(async () => {
    database = await createTestDatabase("postgres");
  });
  afterEach(async () => {
    await Promise.all(writers.splice(0).map((writer) => writer.end()));
    await database.close();
  });

  /** A connection in a transaction with a transaction id, like a statement that has written state. */
  async function begin(): Promise<pg.Client> {
    const writer = new pg.Client("url" in database.address ? database.address.url : "");
    writers.push(writer);
    await writer.connect();
    await writer.query("begin");
    await writer.query("select pg_current_xact_id()");
    return writer;
  }

  async function append(writer: pg.Client, type: string): Promise<void> {
    await writer.query(
      "insert into events (owner_id, aggregate_id, sequence, type, created_at) values ($1, $1, 1, $2, now())",
      [randomUUID(), type],
    );
  }

  /**
   * Reads until there are events. Transaction ids belong to the whole server: a transaction in the database of another
   * test can hold events back for a moment.
   */
  async function readSome(cursor: Cursor): Promise<{ types: string[]; cursor: Cursor }> {
    return await until("events are readable", async () => {
      const read = await readAll(cursor);
      return read.types.length > 0 && read;
    });
  }

  async function readAll(cursor: Cursor): Promise<{ types: string[]; cursor: Cursor }> {
    const { events, cursor: next } = await followEvents(database.db, cursor, 100);
    return { types: events.map(({ type }) => type), cursor: next };
  }

  test("reads in order from its cursor, up to the limit", async () => {
    for (const type of ["one", "two", "three"]) {
      const writer = await begin();
      await append(writer, type);
      await writer.query("commit");
    }
    const read = (cursor: Cursor, limit: number) => followEvents(database.db, cursor, limit);
    const first = await read(START, 2);
    expect(first.events.map(({ type }) => type)).toEqual(["one", "two"]);
    const second = await read(first.cursor, 2);
    expect(second.events.map(({ type }) => type)).toEqual(["three"]);
    expect(await read(second.cursor, 2)).toEqual({ events: [], cursor: second.cursor });
  });

  test("waits for an event with an earlier position that is committed later", async () => {
    const slow = await begin();
    await append(slow, "slow");
    const fast = await begin();
    await append(fast, "fast");
    await fast.query("commit");
    const before = await readAll(START);
    expect(before.types).toEqual([]);
    await slow.query("commit");
    expect((await readSome(before.cursor)).types).toEqual(["slow", "fast"]);
  });

  test("misses no event of a transaction that is younger than the one it overtook", async () => {
    const older = await begin();
    const younger = await begin();
    await append(younger, "younger");
    await append(older, "older");
    await older.query("commit");
    // The highest completed transaction is now below the running one, so a snapshot's upper bound would not cover it.
    let { cursor, types } = await readAll(START);
    ({ cursor, types } = await readAll(cursor));
    expect(types).toEqual([]);
    await younger.query("commit");
    expect((await readSome(cursor)).types).toEqual(["younger", "older"]);
  });

  test("skips a position that was rolled back once no running transaction can fill it", async () => {
    const failing = await begin();
    await append(failing, "failing");
    const fast = await begin();
    await append(fast, "fast");
    await fast.query("commit");
    const waiting = await readAll(START);
    await failing.query("rollback");
    expect(waiting.types).toEqual([]);
    expect((await readSome(waiting.cursor)).types).toEqual(["fast"]);
  });

  test("replaces a fence that is a transaction id of another database", async () => {
    const failing = await begin();
    await append(failing, "failing");
    const fast = await begin();
    await append(fast, "fast");
    await fast.query("commit");
    await failing.query("rollback");
    const fence = 10n ** 15n;
    const waiting = await readAll({ ...START, fence });
    expect(waiting).toMatchObject({ types: [], cursor: { position: 0n } });
    expect(waiting.cursor.fence).toBeLessThan(fence);
    expect((await readSome(waiting.cursor)).types).toEqual(["fast"]);
  });

  test("waits again at a second gap", async () => {
    const failing = await begin();
    await append(failing, "failing");
    const fast = await begin();
    await append(fast, "fast");
    await fast.query("commit");
    const waiting = await readAll(START);
    await failing.query("rollback");
    const slow = await begin();
    await append(slow, "slow");
    const last = await begin();
    await append(last, "last");
    await last.query("commit");
    const passed = await readSome(waiting.cursor);
    expect(passed.types).toEqual(["fast"]);
    await slow.query("commit");
    expect((await readSome(passed.cursor)).types).toEqual(["slow", "last"]);
  });

  test("waits again at a gap after one that was filled", async () => {
    const first = await begin();
    await append(first, "first");
    const second = await begin();
    await append(second, "second");
    await second.query("commit");
    const waiting = await readAll(START);
    await first.query("commit");
    const slow = await begin();
    await append(slow, "slow");
    const last = await begin();
    await append(last, "last");
    await last.query("commit");
    const passed = await readSome(waiting.cursor);
    expect(passed.types).toEqual(["first", "second"]);
    await slow.query("commit");
    expect((await readSome(passed.cursor)).types).toEqual(["slow", "last"]);
  });
});
