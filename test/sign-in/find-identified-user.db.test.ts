import { sql } from "kysely";
import pg from "pg";
import { createId } from "../../src/crypto/secrets.ts";
import type { Database, Query } from "../../src/database/database.ts";
import { createOrg } from "../../src/orgs/change-org.ts";
import { DEFAULT_LOGIN_POLICY } from "../../src/policies/login-policy.ts";
import { findIdentifiedUser } from "../../src/sign-in/find-sign-in-user.ts";
import { readIdentifier } from "../../src/sign-in/identifier.ts";
import { createTestDatabase, type TestDatabase, watchQueries } from "../support/databases/database.ts";

const CALLER = { throwIfOver() {} };
const USERS = 20_000;

let database: TestDatabase;
let client: pg.Client;
let orgId: string;
const queries: Query[] = [];

beforeAll(async () => {
  database = await createTestDatabase("postgres");
  orgId = await createOrg({ db: database.db, clock: () => new Date() }, "filled");
  const { address } = database;
  if (!("url" in address)) throw new Error("the database has no URL");
  client = new pg.Client(address.url);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.close();
});

function find(entered: string) {
  const db = watchQueries(database.db, (query) => void queries.push(query));
  return findIdentifiedUser({ db }, { orgId, ...readIdentifier(entered, DEFAULT_LOGIN_POLICY, "CH") }, CALLER);
}

test("a statement that is planned while there are no users reads their indexes", async () => {
  await find("nobody");
  await client.query("set plan_cache_mode = force_generic_plan");
  expect(await explain(queries.pop())).not.toMatch(/Seq Scan on users/);
});

test("a user is found by name, address or number with one statement, which reads one entry of each index", async () => {
  await fillUsers(database.db);
  await client.query("insert into verified_phones select org_id, id, phone from users where phone_verified");
  await client.query("analyze verified_phones");
  for (const entered of ["name 7777", "User7777@example.com", "+41790007777", "079 000 77 77"]) {
    expect([entered, (await find(entered))?.userName]).toEqual([entered, "name 7777"]);
  }
  expect(await find("nobody@example.com")).toBeUndefined();
  expect(queries).toHaveLength(5);
  expect(new Set(queries.map((query) => query.sql)).size).toBe(1);
  for (const mode of ["force_generic_plan", "force_custom_plan"]) {
    await client.query(`set plan_cache_mode = ${mode}`);
    for (const query of queries.slice()) {
      const plan = await explain(query);
      expect(plan).not.toMatch(/Seq Scan on users/);
      if (mode === "force_generic_plan")
        for (const index of ["users__user_name", "users__by_email", "verified_phones__phone"])
          expect(plan).toContain(index);
      expect(Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])).toBeLessThan(25);
    }
  }
});

test("an address that any number of users have entered costs as much as one that a hundred have", async () => {
  await sql`
    insert into users (org_id, id, kind, user_name, user_name_key, email, sequence, created_at, changed_at, ${PROFILE})
    select ${orgId}, gen_random_uuid(), 'human', 'squatter ' || n, 'squatter ' || n, 'popular@example.com', 1, now(), now(),
      'Ada', 'Lovelace', 'Ada Lovelace', 0
    from generate_series(1, 5000) as n`.execute(database.db);
  queries.length = 0;
  expect(await find("popular@example.com")).toBeUndefined();
  const plan = await explain(queries[0]);
  expect(plan).toMatch(/users__by_email on users.* rows=100\b/);
});

test("an older user is found by an address that others have entered and not verified", async () => {
  const verified = database.db.selectFrom("users").select("id").where("email_verified", "=", true);
  const [oldest] = await verified.orderBy("id").limit(1).execute();
  await database.db
    .updateTable("users")
    .set({ email: "popular@example.com" })
    .where("id", "=", oldest?.id ?? createId())
    .execute();
  expect((await find("popular@example.com"))?.id).toBe(oldest?.id);
});

const PROFILE = sql`first_name, last_name, display_name, gender`;

async function fillUsers(db: Database): Promise<void> {
  await sql`
    insert into users (org_id, id, kind, user_name, user_name_key, email, email_verified, phone, phone_verified, sequence,
      created_at, changed_at, ${PROFILE})
    select ${orgId}, gen_random_uuid(), 'human', 'name ' || n, 'name ' || n, 'user' || n || '@example.com', true,
      '+4179' || lpad(n::text, 7, '0'), true, 1, now(), now(), 'Ada', 'Lovelace', 'Ada Lovelace', 0
    from generate_series(1, ${USERS}::int) as n`.execute(db);
  await sql`vacuum analyze users`.execute(db);
}

async function explain(query: Query | undefined): Promise<string> {
  const literals = query?.parameters.map((value) => (value === null ? "null" : client.escapeLiteral(String(value))));
  await client.query(`prepare identified as ${query?.sql}`);
  const { rows } = await client.query(
    `explain (analyze, buffers, costs off, timing off) execute identified(${literals?.join()})`,
  );
  await client.query("deallocate identified");
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
