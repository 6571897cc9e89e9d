import { sql } from "kysely";
import pg from "pg";
import { readStatements } from "../../scripts/sql/read-statements.ts";
import { partitionTables } from "../../src/database/partition.ts";
import { claimMessages, FIRST_TURN } from "../../src/messages/claim-messages.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";
import { nameReadingAll, type PlanNode, READ_ALL_PARTITIONS, tablesReadWhole } from "./partition-plans.ts";

let database: TestDatabase;
let client: pg.Client;
let texts: readonly string[];

beforeAll(async () => {
  database = await createTestDatabase("postgres");
  await partitionTables(database.db, 4);
  if (!("url" in database.address)) throw new Error("the database has no URL");
  client = new pg.Client(database.address.url);
  await client.connect();
  await client.query("set plan_cache_mode = force_generic_plan");
  // Its statement is prepared when it is first used.
  const now = new Date();
  await claimMessages(database.db, { channel: "email", limit: 5, exclude: [], turn: FIRST_TURN, now, until: now });
  texts = (await readStatements()).map((statement) => statement.sql);
  for (const [index, text] of texts.entries()) await client.query(`prepare statement_${index} as ${text}`);
});
afterAll(async () => {
  await client?.end();
  await database?.close();
});

/** The names of the statements that may read several partitions of a table. */
async function readingAll(): Promise<string[]> {
  const names: string[] = [];
  for (const [index, text] of texts.entries()) {
    const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    const values = count === 0 ? "" : `(${Array(count).fill("null").join()})`;
    const { rows } = await client.query(`explain (format json) execute statement_${index}${values}`);
    const tables = tablesReadWhole(rows[0]["QUERY PLAN"][0].Plan as PlanNode);
    if (tables.length > 0) names.push(nameReadingAll(text, tables));
  }
  return [...new Set(names)].sort();
}

/** The statements of a foreign key, of a function, of lists and of changes of the administration, which are not prepared. */
const UNPREPARED: readonly string[] = [
  "delete the links to a provider",
  "find the last event of a list",
  "find the links to a provider",
  "find the user of a new member",
  "list events",
  "list the members of the instance",
  "read the names in events",
  "read the position of a new webhook",
];
const EXPECTED = Object.keys(READ_ALL_PARTITIONS)
  .filter((name) => !UNPREPARED.includes(name))
  .sort();

test("every prepared statement reads the partition of one organization, except the listed ones", async () => {
  expect(texts.length).toBeGreaterThan(100);
  expect(await readingAll()).toEqual(EXPECTED);
});

test("the same is true for analyzed tables with many organizations", async () => {
  await sql`
    insert into orgs (id, name, name_key, sequence, created_at, changed_at)
    select md5(n::text)::uuid, n, n, 1, now(), now() from generate_series(1, 40) as n`.execute(database.db);
  await sql`
    insert into users (org_id, id, kind, user_name, user_name_key, sequence, created_at, changed_at)
    select id, gen_random_uuid(), 'machine', n, n, 1, now(), now() from orgs, generate_series(1, 300) as n`.execute(
    database.db,
  );
  await sql`
    insert into codes (org_id, id, user_id, kind, secret_hash, created_at)
    select org_id, gen_random_uuid(), id, 'passkey', '', now() from users`.execute(database.db);
  await sql`
    insert into messages (org_id, id, user_id, notice, channel, recipient, created_at, state, ended_at)
    select org_id, gen_random_uuid(), id, 'password-changed', 'email', '', now(), 'sent', now() from users`.execute(
    database.db,
  );
  await sql`
    insert into events (owner_id, aggregate_id, sequence, type, created_at)
    select org_id, id, 1, 'user.machine.added', now() from users`.execute(database.db);
  await sql`analyze`.execute(database.db);
  expect((await readingAll()).filter((name) => !EXPECTED.includes(name))).toEqual([]);
});
