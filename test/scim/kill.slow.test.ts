import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { send } from "../support/clients/send.ts";
import { createProcesses, type Installation, readToken, type TestServer } from "../support/servers/process.ts";

const KILLS = 10;
/** The most operations of a request. */
const OPERATIONS = 50;
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

const processes = createProcesses();
let installation: Installation;
let server: TestServer;
let db: Database;
let token: string;
let orgId: string;

beforeAll(async () => {
  installation = await processes.createInstallation("scim-killed");
  server = await processes.serve(installation.variables);
  db = connect(installation.address, 1, () => {});
  const settings = { name: "Directory", addressRule: "SCIM_ADDRESS_RULE_SILENT" };
  const admin = readToken(installation.tokenFile);
  const { body } = await send(server.origin, "POST", "/management/v1/scim", { token: admin, body: settings });
  token = processes.secret(body.token);
  orgId = body.details.resourceOwner;
});
afterAll(async () => {
  await db?.destroy();
  await processes.close();
});

/** What the directory knows of a user. */
function userOf(number: number): JsonObject {
  const userName = `user-${number}@example.com`;
  return {
    ...{ userName, externalId: `object-${number}`, title: `Analyst ${number}`, displayName: `Ada ${number}` },
    name: { givenName: "Ada", familyName: `Lovelace ${number}` },
    emails: [{ value: userName, type: "work", primary: true }],
    [ENTERPRISE]: { department: `Room ${number}` },
  };
}

async function sendBulk(first: number): Promise<string[]> {
  const Operations = Array.from({ length: OPERATIONS }, (_, n) => {
    const data = userOf(first + n);
    return { method: "POST", path: "/Users", bulkId: String(data.externalId), data };
  });
  const response = await fetch(`${server.origin}/scim/v2/Bulk`, {
    ...{ method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" } },
    body: JSON.stringify({ Operations }),
  });
  expect(response.status).toBe(200);
  const { Operations: results } = (await response.json()) as { Operations: { status: string }[] };
  return results.map(({ status }) => status);
}

const countUsers = async () => (await db.selectFrom("users").select("id").where("kind", "=", "human").execute()).length;

test("after kills in the middle of bulk requests that are sent again, each user exists once, as it was sent", async () => {
  const { port } = new URL(server.origin);
  for (let round = 0; round < KILLS; round++) {
    const first = round * OPERATIONS;
    const before = await countUsers();
    const lost = sendBulk(first).catch(() => undefined);
    // Every second kill comes once the first users are stored, and the others at any moment.
    if (round % 2 === 0) while ((await countUsers()) === before) await wait(1);
    else await wait(Math.random() * 100);
    await server.stop("SIGKILL");
    await lost;
    server = await processes.serve({ ...installation.variables, PORT: port });
    const stored = (await countUsers()) - before;
    const statuses = await sendBulk(first);
    const count = (status: string) => statuses.filter((each) => each === status).length;
    // Those that the killed process had created are taken now.
    expect({ round, created: count("201"), taken: count("409") }).toEqual({
      ...{ round, created: OPERATIONS - stored, taken: stored },
    });
  }

  const headers = { authorization: `Bearer ${token}` };
  const found: JsonObject[] = [];
  for (let startIndex = 1; startIndex <= KILLS * OPERATIONS; startIndex += 100) {
    const response = await fetch(`${server.origin}/scim/v2/Users?startIndex=${startIndex}&count=100`, { headers });
    found.push(...((await response.json()) as { Resources: JsonObject[] }).Resources);
  }
  const byId = new Map(found.map((user) => [user.externalId, user]));
  expect(found).toHaveLength(KILLS * OPERATIONS);
  for (let number = 0; number < KILLS * OPERATIONS; number++) {
    const user = userOf(number);
    expect(byId.get(user.externalId ?? "")).toMatchObject({ ...user, active: true });
  }
  expect(await countUsers()).toBe(KILLS * OPERATIONS);
  const events = await db
    .selectFrom("events")
    .innerJoin("users", "users.id", "events.aggregate_id")
    .select(["aggregate_id", "type"])
    .where("events.owner_id", "=", orgId)
    .where("users.kind", "=", "human")
    .orderBy("events.sequence")
    .execute();
  const histories = [...Map.groupBy(events, (each) => each.aggregate_id).values()];
  const types = new Set(histories.map((history) => history.map(({ type }) => type).join()));
  expect([...types]).toEqual([expect.stringMatching(/^user\.human\.added,(?:user\.metadata\.set,?)+$/)]);
});
