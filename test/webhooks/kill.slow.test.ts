import { join } from "node:path";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { send } from "../support/clients/send.ts";
import type { EmptyDatabase } from "../support/databases/empty-database.ts";
import { createProcesses, readToken } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";

const OBJECTS = 100;
const EVENTS = 5;
/** The responses to the deliveries after these are held back until the process is killed. */
const BEFORE_HELD = 100;

const processes = createProcesses();
let database: EmptyDatabase;
let db: Database;
let receiver: Receiver;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await processes.createDatabase();
  db = connect({ url: database.url }, 1, () => {});
  receiver = await startReceiver();
  variables = {
    DATABASE_URL: database.url,
    DATA_DIR: join(processes.root, "kill"),
    PUBLIC_URL: "http://localhost:8080",
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    IDP_ALLOW_PRIVATE_NETWORKS: "true",
  };
});
afterAll(async () => {
  await processes.close();
  await db.destroy();
  await receiver.close();
});

const waiting = () =>
  db.selectFrom("webhook_deliveries").select(["id", "attempts"]).where("state", "=", "waiting").execute();

test("after kill -9 between a delivery and its record, nothing is lost or out of order, and only the same id repeats", async () => {
  const killed = await processes.serve(variables);
  const token = readToken(join(variables.DATA_DIR ?? "", "admin.token"));
  const body = { name: "CRM", url: receiver.url, eventTypes: ["user.human.profile.changed"], includesPayload: true };
  const added = await send(killed.origin, "POST", "/management/v1/webhooks", { token, body });
  processes.secret(added.body.signingKey);
  const held = Promise.withResolvers<number>();
  receiver.respond = () => (receiver.received.length > BEFORE_HELD ? held.promise : 204);
  const { owner_id: ownerId } = await db.selectFrom("webhooks").select("owner_id").executeTakeFirstOrThrow();
  const objects = Array.from({ length: OBJECTS }, () => crypto.randomUUID());
  for (let n = 1; n <= EVENTS; n++) {
    await db
      .insertInto("events")
      .values(
        objects.map((id) => ({
          owner_id: ownerId,
          aggregate_id: id,
          sequence: BigInt(n),
          type: "user.human.profile.changed",
          editor_id: null,
          created_at: new Date(),
          payload: JSON.stringify({ n }),
        })),
      )
      .execute();
  }
  await until("deliveries have arrived without a record", () => receiver.received.length > BEFORE_HELD);
  await killed.stop("SIGKILL");
  held.resolve(204);
  const unrecorded = (await waiting()).filter(({ attempts }) => attempts > 0).map(({ id }) => id);
  expect(unrecorded.length).toBeGreaterThan(0);
  receiver.respond = () => 204;
  // Time passes for the claims of the killed process.
  await db
    .updateTable("webhook_deliveries")
    .set({ next_attempt_at: new Date() })
    .where("state", "=", "waiting")
    .execute();
  const next = await processes.serve(variables);
  await until("all is sent", async () => {
    const sent = await db.selectFrom("webhook_deliveries").select("id").where("state", "=", "sent").execute();
    return sent.length === OBJECTS * EVENTS;
  });
  expect(await next.stop()).toMatchObject({ code: 0 });

  const seen = new Map<string, number>();
  for (const { id } of receiver.received) seen.set(id, (seen.get(id) ?? 0) + 1);
  expect(seen.size).toBe(OBJECTS * EVENTS);
  const repeated = [...seen].filter(([, count]) => count > 1).map(([id]) => id);
  expect(repeated.length).toBeGreaterThan(0);
  for (const id of repeated) expect(unrecorded).toContain(id);
  for (const object of objects) {
    const ofObject = receiver.received.filter(({ event }) => event.data.aggregate.id === object);
    const firsts = ofObject.filter(({ id }, index) => ofObject.findIndex((other) => other.id === id) === index);
    expect(firsts.map(({ event }) => event.data.payload?.n)).toEqual([1, 2, 3, 4, 5]);
  }
});
