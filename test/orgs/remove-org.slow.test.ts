import { join } from "node:path";
import { sql } from "kysely";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { send } from "../support/clients/send.ts";
import type { EmptyDatabase } from "../support/databases/empty-database.ts";
import { createProcesses, readToken } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const USERS = 5_000;

const processes = createProcesses();
let database: EmptyDatabase;
let db: Database;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await processes.createDatabase();
  db = connect({ url: database.url }, 1, () => {});
  variables = {
    DATABASE_URL: database.url,
    DATA_DIR: join(processes.root, "remove-org"),
    PUBLIC_URL: "http://localhost:8080",
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
});
afterAll(async () => {
  await processes.close();
  await db.destroy();
});

/** Users with an event each. */
async function addUsers(orgId: string): Promise<void> {
  await sql`
    with added as (
      insert into users (org_id, id, kind, user_name, user_name_key, sequence, created_at, changed_at)
      select ${orgId}::uuid, gen_random_uuid(), 'machine', 'user-' || number, 'user-' || number, 1, now(), now()
      from generate_series(1, ${USERS}::int) as number
      returning id
    )
    insert into events (owner_id, aggregate_id, sequence, type, created_at, payload)
    select ${orgId}::uuid, id, 1, 'user.machine.added', now(), '{"userName": "somebody"}' from added`.execute(db);
}

const usersOf = async (orgId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users where org_id = ${orgId}::uuid`.execute(db);
  return rows[0]?.count ?? 0;
};

test("after kill -9, another process continues the removal, and nothing of the organization is left", async () => {
  const killed = await processes.serve(variables);
  const token = readToken(join(variables.DATA_DIR ?? "", "admin.token"));
  const orgs = [];
  for (const name of ["Removed", "Kept"]) {
    const { body } = await send(killed.origin, "POST", "/management/v1/orgs", { token, body: { name } });
    orgs.push(String(body.id));
    await addUsers(String(body.id));
  }
  const [removed = "", kept = ""] = orgs;
  const response = await send(killed.origin, "DELETE", `/admin/v1/orgs/${removed}?confirmName=Removed`, { token });
  expect(response.status).toBe(200);
  await until("some users are erased", async () => (await usersOf(removed)) < USERS);
  await killed.stop("SIGKILL");
  const left = await usersOf(removed);
  expect(left).toBeGreaterThan(0);

  // Time passes for the claim of the killed process.
  await db.updateTable("orgs").set({ removal_due_at: new Date() }).where("id", "=", removed).execute();
  const next = await processes.serve(variables);
  await until("everything is erased", async () => {
    const org = await db.selectFrom("orgs").select("erased_at").where("id", "=", removed).executeTakeFirst();
    return org?.erased_at !== null;
  });
  expect(await usersOf(removed)).toBe(0);
  // Time passes for calls that may have begun before the removal.
  const earlier = new Date(Date.now() - 3_600_000);
  await db
    .updateTable("orgs")
    .set({ removed_at: earlier, removal_due_at: earlier })
    .where("id", "=", removed)
    .execute();
  await until("the organization is gone", async () => {
    return (await db.selectFrom("orgs").select("id").where("id", "=", removed).execute()).length === 0;
  });
  expect(await next.stop()).toMatchObject({ code: 0 });

  const events = await db
    .selectFrom("events")
    .select([
      "type",
      sql<boolean>`coalesce(payload, '{}') = '{}'`.as("is_erased"),
      sql<number>`count(*)::int`.as("count"),
    ])
    .where("owner_id", "=", removed)
    .where("aggregate_id", "<>", removed)
    .groupBy(["type", "is_erased"])
    .orderBy("type")
    .execute();
  expect(events).toEqual([
    { type: "user.machine.added", is_erased: true, count: USERS },
    { type: "user.removed", is_erased: true, count: USERS },
  ]);
  expect(await usersOf(kept)).toBe(USERS);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from events where owner_id = ${kept}::uuid and payload is null`.execute(db);
  expect(rows).toEqual([{ count: 0 }]);
});
