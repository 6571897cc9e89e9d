import { create } from "@bufbuild/protobuf";
import { CompiledQuery, sql } from "kysely";
import pg from "pg";
import { GetUserByIDRequestSchema } from "../../gen/signet/v1/user_read_pb.js";
import { createAuthorize } from "../../src/access/authorize.ts";
import { createRecentCredentials } from "../../src/access/recent-credentials.ts";
import { createTokenUses } from "../../src/access/token-uses.ts";
import { createId, createTokenSecret } from "../../src/crypto/secrets.ts";
import type { Database, Query } from "../../src/database/database.ts";
import { createRunTogether } from "../../src/database/run-together.ts";
import { createOrg } from "../../src/orgs/change-org.ts";
import { findTakenValues } from "../../src/users/read/find-taken-values.ts";
import { getUserById } from "../../src/users/read/get-user-by-id.ts";
import { createTestDatabase, watchQueries } from "../support/databases/database.ts";
import { createOperations } from "../support/operations/operations.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";

/** The tables that grow. Plans are kept while they grow, until they are analyzed. */
const GROWING = /Seq Scan on (users|tokens|members|orgs|idps|user_idp_links|user_subjects|codes|messages|events)\b/;

test("statements use indexes even if they are planned before the tables are analyzed", async () => {
  const database = await createTestDatabase("postgres");
  const { address } = database;
  if (!("url" in address)) throw new Error("the database has no URL");
  await fillUsers(database.db, 5_000);
  const statements: string[] = [];
  const pool = new pg.Pool({ connectionString: address.url, max: 1 });
  pool.on("error", () => {});
  const db = watchQueries(database.db, ({ sql }) => void statements.push(sql));
  const runTogether = createRunTogether(db);
  const ids = { orgId: createId(), userId: createId(), instanceId: createId() };
  const operations = createOperations({ runTogether, ...ids, sendsSms: true });
  const client = { refuseStranger: () => undefined, countFailure() {}, trust() {} };
  await Promise.allSettled([
    createAuthorize(
      runTogether,
      () => new Date(),
      createRecentCredentials(),
      createTokenUses(),
    )({ authorization: `Bearer ${createTokenSecret()}`, orgId: undefined, client }, "user.write"),
    operations.setPhone(createId(), "+41791234567"),
    getUserById(
      { runTogether, isOneTimeCode: () => true },
      create(GetUserByIDRequestSchema, { id: createId() }),
      createPrincipalCall({ orgId: createId(), userId: createId(), instanceId: createId() }),
    ),
    operations.importHuman({
      userName: "ada",
      subject: "ada",
      idps: [{ configId: createId(), externalUserId: "ada" }],
    }),
  ]);
  const short = [operations.setPhone(createId(), "+41791234567", true), operations.importHuman({ userName: "grace" })];
  await Promise.allSettled(short);
  await operations.close();
  expect(statements).toHaveLength(6);
  expect(statements.filter((text) => /insert into "?(codes|messages|user_idp_links)/.test(text))).toHaveLength(2);

  await pool.query("set plan_cache_mode = force_generic_plan");
  const plans: string[] = [];
  for (const [index, text] of statements.entries()) {
    await pool.query(`prepare statement_${index} as ${text}`);
    const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    const { rows } = await pool.query(`explain execute statement_${index}(${Array(count).fill("null").join()})`);
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
  }
  await pool.end();
  await database.close();
  for (const plan of plans) {
    expect(plan).not.toMatch(GROWING);
    expect(plan).toMatch(/Index (Only )?Scan/);
    // The index of names finds names only, and not all users of the organization.
    expect(plan).not.toMatch(/Index Scan using users__user_name .*\n(?!.*user_name_key)/);
  }
});

/** How many users there were when PostgreSQL last planned the statement must not matter, so it plans it for each call. */
test("the look-ups before an import use indexes without statistics, for few and many users", async () => {
  const database = await createTestDatabase("postgres", 1);
  const statements: Query[] = [];
  const db = watchQueries(database.db, (query) => void statements.push(query));
  const lookUp = async (orgId: string) => {
    const users = Array.from({ length: 50 }, (_, n) => ({
      externalId: Buffer.from(`new-${n}`),
      userName: n === 0 ? "+41791234567" : `new-${n}@example.com`,
      email: { email: `other-${n}@example.com`, isEmailVerified: true },
      phone: { phone: `+4179000${1000 + n}`, isPhoneVerified: true },
      subject: `new-${n}`,
      idps: [{ configId: createId(), externalUserId: `new-${n}` }],
    }));
    statements.length = 0;
    const call = createPrincipalCall({ orgId, userId: createId(), instanceId: createId() });
    await findTakenValues({ db }, { users }, call);
    const [{ sql: text, parameters, name } = { sql: "", parameters: [] }] = statements;
    expect(name).toBeUndefined();
    const explain = CompiledQuery.raw(`explain (analyze, costs off, timing off) ${text}`, [...parameters]);
    const { rows } = await database.db.executeQuery<{ "QUERY PLAN": string }>(explain);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  for (const count of [200, 20_000]) {
    const plan = await lookUp(await fillUsers(database.db, count));
    for (const index of ["user_metadata__external_id", "user_subjects__subject", "user_idp_links__pkey"]) {
      expect(plan).toMatch(new RegExp(` ${index} .*\\(actual rows=0 loops=50\\)`));
    }
    // With 200, each index that starts with the organization is as good.
    if (count > 200) expect(plan).toMatch(/ users__user_name /);
    if (count > 200) expect(plan).not.toMatch(/Seq Scan|Rows Removed/);
  }
  await database.close();
});

/**
 * An organization with users without statistics. With few, PostgreSQL looks users up by the index of their names, until it
 * analyzes the table.
 */
async function fillUsers(db: Database, count: number): Promise<string> {
  const orgId = await createOrg({ db, clock: () => new Date() }, `filled ${count}`);
  await sql`
    with filled as (
      insert into users (org_id, id, kind, user_name, user_name_key, sequence, created_at, changed_at)
      select ${orgId}, gen_random_uuid(), 'machine', n, n, 1, now(), now() from generate_series(1, ${count}::int) as n
      returning org_id, id, user_name)
    insert into user_metadata (org_id, user_id, key, value, sequence, created_at, changed_at)
    select org_id, id, 'external_id', convert_to(user_name, 'UTF8'), 1, now(), now() from filled`.execute(db);
  return orgId;
}
