import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { START } from "../../../examples/events/read-events.ts";
import { ConfigError } from "../../../src/config.ts";
import { createKeyring } from "../../../src/crypto/keyring.ts";
import { registerKeys } from "../../../src/crypto/register-keys.ts";
import { connect } from "../../../src/database/connection.ts";
import { type CopyProgress, copyDatabase } from "../../../src/database/copy/copy-database.ts";
import { readSchema, readSequences } from "../../../src/database/copy/read-schema.ts";
import type { Database } from "../../../src/database/database.ts";
import { partitionTables } from "../../../src/database/partition.ts";
import { setUpInstance } from "../../../src/instance/set-up-instance.ts";
import { createTestDatabase, type TestDatabase } from "../../support/databases/database.ts";
import { followEvents } from "../../support/databases/follow-events.ts";
import { until } from "../../support/until.ts";

/** With the user `admin`, exactly two batches. */
const USERS = 199;
const BATCH = 100;
/** A table as a later migration may add it, with values that a conversion could lose. */
const LATER = `create table later_things (
  day date, number bigint generated always as identity, org_id uuid not null references orgs (id), note text, ratio double precision,
  amount numeric(12, 3), parts text[], content jsonb, bytes bytea, at timestamptz, span interval, fixed char(4),
  twice bigint generated always as (number * 2) stored, primary key (day, number))`;

let folder: string;
let source: TestDatabase;
let target: TestDatabase;
/** Like those of the command, with one connection and no time limits. */
let from: Database | undefined;
let to: Database | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "signet-copy-"));
  source = await createTestDatabase("embedded");
  from = connect(source.address, 1, () => {}, { timeLimits: false });
  await fill(source.db);
});
afterAll(async () => {
  await sql`drop table later_things`.execute(source.db);
  await sql`discard all`.execute(source.db);
  await from?.destroy();
  await source.close();
  rmSync(folder, { recursive: true });
});

async function openTarget(): Promise<void> {
  target = await createTestDatabase("postgres", 4);
  to = connect(target.address, 1, () => {}, { timeLimits: false });
  await sql.raw(LATER).execute(target.db);
}

async function closeTarget(): Promise<void> {
  await to?.destroy();
  await target.close();
}

/** An instance with many users and their events, one of which was rolled back. */
async function fill(db: Database): Promise<void> {
  await sql.raw(LATER).execute(db);
  await registerKeys(db, createKeyring([Buffer.alloc(32, 7)]), new Date());
  await setUpInstance(db, join(folder, "admin.token"), new Date());
  await sql`
    insert into users (sequence, created_at, changed_at, org_id, id, kind, user_name, user_name_key)
    select 1, now(), now(), orgs.id, gen_random_uuid(), 'machine', 'user ' || number, 'user ' || number
    from orgs, generate_series(1, ${USERS}) as number`.execute(db);
  const append = sql`
    insert into events (owner_id, aggregate_id, sequence, type, created_at)
    select org_id, id, 1, 'user.machine.added', now() from users where user_name like 'user %' limit 10`;
  await append.execute(db);
  await sql`delete from events where type = 'user.machine.added' and aggregate_id in (
    select aggregate_id from events where type = 'user.machine.added' order by position desc limit 10)`.execute(db);
  await append.execute(db);
  await sql`
    insert into later_things (day, org_id, note, ratio, amount, parts, content, bytes, at, span, fixed)
    select day::date, orgs.id, note, ratio::float8, amount::numeric, parts::text[], content::jsonb, bytes::bytea, at::timestamptz,
      span::interval, fixed
    from orgs, (values
      ('2026-11-22', 'quotes " '' \\ {a,b} NULL', '0.1', '1234.500', '{"a\\"b",NULL,"",NULL,"{x}"}', 'null', '\\x00ff22', 'infinity', '1 day 02:03:04.5', 'ab'),
      ('infinity', '', '-Infinity', 'NaN', '{}', '{"a": 1.10, "b": "\\u00e9"}', '\\x', '2026-11-22 01:02:03.123456+05', '-3 mons', ''),
      ('4713-01-01 BC', null, 'NaN', null, '{{a,b},{c,d}}', null, null, '0044-03-15 12:00:00+00 BC', null, null)
    ) as v (day, note, ratio, amount, parts, content, bytes, at, span, fixed)`.execute(db);
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("not opened");
  return value;
}

const copy = (onProgress: (progress: CopyProgress) => void = () => {}, lockTimeoutMs = 100) =>
  copyDatabase(given(from), given(to), { onProgress, lockTimeoutMs, batchRows: BATCH });

/** Every row of every table as text written by PostgreSQL rather than by the copy. */
async function rowsOf(db: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of await readSchema(db)) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(name)} as t order by 1`.execute(db);
    found[name] = rows.map(({ row }) => row).sort();
  }
  return found;
}

const filledTables = async (db: Database) =>
  Object.entries(await rowsOf(db))
    .filter(([, rows]) => rows.length > 0)
    .map(([name]) => name);

async function expectRefusal(promise: Promise<unknown>, message: string | RegExp): Promise<void> {
  // Handled at once, because the promise may reject while the rows are read.
  const refused = promise.catch((error: unknown) => error);
  const before = await rowsOf(target.db);
  const error = await refused;
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toMatch(message);
  expect(await rowsOf(target.db)).toEqual(before);
}

describe("a copy", () => {
  const seen: CopyProgress[] = [];
  beforeAll(async () => {
    await openTarget();
    const { tables, wasComplete } = await copy((progress) => seen.push(progress));
    expect(wasComplete).toBe(false);
    const counts = Object.entries(await rowsOf(source.db)).map(([name, rows]) => [name, rows.length]);
    expect(tables.map(({ name, rows }) => [name, rows]).sort()).toEqual(counts.sort());
  });
  afterAll(closeTarget);

  test("has every row of every table, also of a table that a later migration adds", async () => {
    const expected = await rowsOf(source.db);
    expect(await rowsOf(target.db)).toEqual(expected);
    expect([expected.later_things?.length, expected.users?.length]).toEqual([3, USERS + 1]);
  });

  test("reports the rows of each table, up to their number", () => {
    const users = seen.filter(({ table }) => table === "users");
    expect(users.map(({ rows }) => rows)).toEqual([BATCH, 2 * BATCH]);
    expect(users.map(({ total }) => total)).toEqual([2 * BATCH, 2 * BATCH]);
  });

  test("a follower that has read half of the events continues without missing or repeating one", async () => {
    const all = await source.db.selectFrom("events").select("position").orderBy("position").execute();
    let { events, cursor } = await followEvents(source.db, START, 5);
    const seen = events.map(({ position }) => BigInt(position));
    // It waits at a gap, with a transaction id of the source as the fence.
    await until("the follower is at the gap", async () => {
      ({ events, cursor } = await followEvents(source.db, cursor, 1));
      seen.push(...events.map(({ position }) => BigInt(position)));
      return cursor.fence !== null;
    });
    expect(seen.length).toBeLessThan(all.length);
    for (const fence of [cursor.fence, 10n ** 15n, 1n]) {
      let later = { ...cursor, fence };
      const rest: bigint[] = [];
      await until("the follower has read the rest", async () => {
        const read = await followEvents(target.db, later, 3);
        later = read.cursor;
        rest.push(...read.events.map(({ position }) => BigInt(position)));
        return seen.length + rest.length >= all.length;
      });
      expect([...seen, ...rest]).toEqual(all.map(({ position }) => position));
    }
  });

  test("is not written again", async () => {
    const last = sql<{ xmin: string }>`select max(xmin::text::bigint)::text as xmin from users`;
    const before = await last.execute(target.db);
    const { tables, wasComplete } = await copy();
    expect(wasComplete).toBe(true);
    expect(tables).toContainEqual(expect.objectContaining({ name: "users", rows: USERS + 1 }));
    expect((await last.execute(target.db)).rows).toEqual(before.rows);
  });

  test("continues with positions after those that were assigned in the source", async () => {
    expect(await readSequences(target.db)).toEqual(await readSequences(source.db));
    const { rows } = await sql<{ next: bigint }>`
      select last_value + 1 as next from events_position_seq`.execute(source.db);
    const inserted = await sql<{ position: bigint }>`
      insert into events (owner_id, aggregate_id, sequence, type, created_at)
      select gen_random_uuid(), gen_random_uuid(), 1, 'org.added', now() returning position`.execute(target.db);
    expect(inserted.rows[0]?.position).toBe(rows[0]?.next);
  });

  test("is not replaced after a change", async () => {
    await sql`update users set user_name = 'renamed' where user_name = 'user 7'`.execute(target.db);
    await expectRefusal(copy(), /contains this instance already, and the table \w+ differs/);
  });
});

describe("an interrupted copy", () => {
  beforeAll(openTarget);
  afterAll(closeTarget);

  test.each(["events", "users", "tokens"])("leaves the target empty if it stops at %s", async (table) => {
    const interrupted = copy((progress) => {
      if (progress.table === table) throw new Error("stopped");
    });
    await expect(interrupted).rejects.toThrow("stopped");
    expect(await filledTables(target.db)).toEqual([]);
  });

  test("leaves the target empty if its connection is lost", async () => {
    let lost: Promise<unknown> | undefined;
    const interrupted = copy(({ table }) => {
      if (table !== "users") return;
      lost ??= sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(target.db);
    });
    await expect(interrupted).rejects.toThrow();
    await lost;
    expect(await filledTables(target.db)).toEqual([]);
  });

  test("can be run again", async () => {
    await copy();
    expect(await rowsOf(target.db)).toEqual(await rowsOf(source.db));
  });
});

test("a target whose tables are partitioned gets the same rows", async () => {
  await openTarget();
  await partitionTables(given(to), 2);
  await copy();
  expect(await rowsOf(target.db)).toEqual(await rowsOf(source.db));
  await closeTarget();
});

describe("nothing is written", () => {
  beforeEach(openTarget);
  afterEach(closeTarget);

  test("if the target contains another instance", async () => {
    await setUpInstance(target.db, join(folder, "other.token"), new Date());
    const { id } = await target.db.selectFrom("instance").select("id").executeTakeFirstOrThrow();
    await expectRefusal(copy(), `the target database contains another instance (${id})`);
  });

  test("if a table of the target has rows", async () => {
    await target.db.insertInto("rate_limits").values({ key: "a" }).execute();
    await expectRefusal(copy(), "the target database is not empty: the table rate_limits has rows");
  });

  test("if the target was migrated by a newer version", async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(target.db);
    await expectRefusal(copy(), "was migrated by a newer version of Signet (9999-later)");
  });

  test("if the target lacks a table or a column", async () => {
    await sql`alter table later_things drop column ratio`.execute(target.db);
    await expectRefusal(copy(), "has no table later_things with the columns of the source");
    await sql`drop table later_things`.execute(target.db);
    await expectRefusal(copy(), "has no table later_things with the columns of the source");
  });

  test("if another process has locked the target", async () => {
    await target.db.transaction().execute(async (transaction) => {
      await sql`lock table users in share mode`.execute(transaction);
      await expectRefusal(copy(), "the target database is in use");
    });
  });

  test("if the rows in the target differ after the copy", async () => {
    await sql`create function change() returns trigger language plpgsql as
      $$ begin new.user_name := new.user_name || '!'; return new; end $$`.execute(target.db);
    await sql`create trigger change before insert on users for each row execute function change()`.execute(target.db);
    await expect(copy()).rejects.toThrow("the rows of the table users differ after the copy");
    expect(await filledTables(target.db)).toEqual([]);
  });
});
