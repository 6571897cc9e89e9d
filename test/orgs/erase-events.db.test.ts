import { sql } from "kysely";
import pg from "pg";
import type { Query } from "../../src/database/database.ts";
import { ERASE_EVENTS, EVENTS_AT_ONCE } from "../../src/instance/org-removal/erase-events.ts";
import { createOrg } from "../../src/orgs/change-org.ts";
import { createTestDatabase, type TestDatabase, watchQueries } from "../support/databases/database.ts";

const EVENTS = EVENTS_AT_ONCE + 500;

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase("postgres");
  if (!("url" in database.address)) throw new Error("the database has no URL");
  client = new pg.Client(database.address.url);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.close();
});

test("each statement finds its first event in the index, without reading those before", async () => {
  const { db } = database;
  const id = await createOrg({ db, clock: () => new Date() }, "removed");
  await sql`
    insert into events (owner_id, aggregate_id, sequence, type, created_at, payload)
    select ${id}, gen_random_uuid(), 1, 'user.human.profile.changed', now(), '{"firstName":"Ada"}'
    from generate_series(1, ${EVENTS}::integer)`.execute(db);
  await client.query("vacuum analyze events");
  const queries: Query[] = [];
  const watched = watchQueries(db, (query) => void queries.push(query));
  const org = { id, editorId: null };
  const { next = "" } = await ERASE_EVENTS.run(watched, org, undefined);
  expect(await ERASE_EVENTS.run(watched, org, next)).toEqual({ next: undefined });
  expect(await db.selectFrom("events").select("position").where("payload", "is not", null).execute()).toEqual([]);

  const [query] = queries.filter(({ sql: text }) => text !== "");
  const { rows } = await client.query(`explain ${query?.sql}`, [...(query?.parameters ?? [])]);
  const condition = /Index Scan using events__owner_position .*\n *Index Cond: (.*)/.exec(
    rows.map((row) => row["QUERY PLAN"]).join("\n"),
  )?.[1];
  expect(condition).toContain('ROW(owner_id, "position") > ROW(');
  // PostgreSQL starts at the equality.
  expect(condition).not.toContain("owner_id = ");
});
