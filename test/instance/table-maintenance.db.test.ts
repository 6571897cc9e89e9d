import { sql } from "kysely";
import { pino } from "pino";
import type { Database } from "../../src/database/database.ts";
import { partitionTables } from "../../src/database/partition.ts";
import { createTableMaintenance } from "../../src/instance/table-maintenance.ts";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../support/databases/database.ts";

const ORG = "01900000-0000-7000-8000-000000000001";
const log = pino({ level: "silent" });

async function addOrg(db: Database): Promise<void> {
  const times = { created_at: new Date(), changed_at: new Date() };
  await db
    .insertInto("orgs")
    .values({ id: ORG, name: "o", name_key: "o", sequence: 1n, ...times })
    .execute();
}

/** The users are named by numbers from `from`. */
async function addUsers(db: Database, from: number, count: number): Promise<void> {
  await sql`
    insert into users (org_id, id, kind, user_name, user_name_key, sequence, created_at, changed_at)
    select ${ORG}::uuid, ('01900000-0000-7000-8001-' || lpad(n::text, 12, '0'))::uuid, 'machine', 'u' || n, 'u' || n, 1,
      now(), now()
    from generate_series(${from}::int, ${from + count - 1}::int) as n`.execute(db);
}

/** How many rows the planner expects in the table; -1 if it was never analyzed. */
async function expectedUsers(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select reltuples::int as count from pg_class where relname = 'users' and relkind in ('r', 'p')`.execute(db);
  return rows[0]?.count ?? Number.NaN;
}

describe.each(DATABASE_KINDS)("tables that have grown on %s", (kind) => {
  const growth = kind === "postgres" ? 10 : 2;
  let database: TestDatabase;
  let db: Database;
  let maintain: () => Promise<void>;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    db = database.db;
    await sql`vacuum analyze users`.execute(db);
    await addOrg(db);
    maintain = createTableMaintenance({ db, isEmbedded: kind === "embedded", log }).maintainDue;
  });
  afterAll(() => database?.close());

  test(`are analyzed when they are ${growth} times as large, and not before`, async () => {
    await addUsers(db, 1, 20);
    await maintain();
    expect(await expectedUsers(db)).toBe(0);
    await addUsers(db, 21, 1_980);
    await maintain();
    expect(await expectedUsers(db)).toBe(2_000);
    await addUsers(db, 2_001, (growth - 1) * 2_000 - 1_000);
    await maintain();
    expect(await expectedUsers(db)).toBe(2_000);
    await addUsers(db, growth * 2_000 - 1_000 + 1, 1_500);
    await maintain();
    expect(await expectedUsers(db)).toBe(growth * 2_000 + 500);
  });
});

test("the embedded database is vacuumed after many changes", async () => {
  const { db, close } = await createTestDatabase("embedded");
  await sql`vacuum analyze users`.execute(db);
  const { maintainDue } = createTableMaintenance({ db, isEmbedded: true, log });
  const readDead = async () =>
    (await sql<{ dead: bigint }>`select pg_stat_get_dead_tuples('users'::regclass) as dead`.execute(db)).rows[0]?.dead;
  await addOrg(db);
  await addUsers(db, 1, 2_000);
  await sql`update users set user_name = user_name || 'x'`.execute(db);
  await sql`select pg_stat_force_next_flush()`.execute(db);
  expect(await readDead()).toBeGreaterThanOrEqual(2_000n);
  await maintainDue();
  expect(await readDead()).toBe(0n);
  await close();
});

test("a partitioned table is analyzed as a whole", async () => {
  const { db, close } = await createTestDatabase("postgres");
  await partitionTables(db, 4);
  await addOrg(db);
  await addUsers(db, 1, 2_000);
  expect(await expectedUsers(db)).toBe(-1);
  await createTableMaintenance({ db, isEmbedded: false, log }).maintainDue();
  expect(await expectedUsers(db)).toBe(2_000);
  await close();
});
