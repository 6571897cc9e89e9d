import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { Webhook } from "standardwebhooks";
import { createReadSettledPosition } from "../../src/events/settled-position.ts";
import { ENDED_DELIVERIES } from "../../src/server/delete-ended.ts";
import { deliverWebhooks } from "../../src/server/deliver-webhooks.ts";
import { WEBHOOK_EVENT_TYPES } from "../../src/webhooks/check-webhook.ts";
import { MAX_PER_WEBHOOK, MAX_SLOW_IN_FLIGHT } from "../../src/webhooks/delivery-places.ts";
import { feedDeliveries, MAX_WAITING } from "../../src/webhooks/feed-deliveries.ts";
import { SEND_LIMIT_MS } from "../../src/webhooks/send-delivery.ts";
import { call, importAda } from "../support/browsers/visitor.ts";
import { createCaller } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";
import { appendEvents, type Received, type Receiver, startReceiver } from "../support/webhooks/receiver.ts";

const HOUR_MS = 3_600_000;

let service: TestService;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await startService("postgres", { IDP_ALLOW_PRIVATE_NETWORKS: "true" });
});
afterEach(async () => {
  service.clockOffsetMs = 0;
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await service.db.deleteFrom("webhooks").execute();
  await service.db.deleteFrom("webhook_deliveries").execute();
});
afterAll(() => service?.close());

async function start(headers?: Record<string, string>): Promise<Receiver> {
  const receiver = await startReceiver(headers);
  receivers.push(receiver);
  return receiver;
}

/** A webhook that has got its first event, `org.webhook.added`, unless it is not to be sent. */
async function addWebhook(receiver: Receiver, settings: JsonObject = {}) {
  const added = await call(service, "AddWebhook", { name: "CRM", url: receiver.url, ...settings });
  const { id, signingKey } = added as { id: string; signingKey: string };
  await service.webhooks.deliverDue();
  receiver.received.length = 0;
  return { id, signingKey };
}

const deliveriesOf = async (id: string, state?: string) =>
  ((await call(service, "ListWebhookDeliveries", { id, query: { asc: true }, ...(state && { state }) })).result ??
    []) as JsonObject[];

const idsOf = (received: readonly Received[]) => received.map(({ id }) => id);
/** What arrived for an object: the number of each event in the payload. */
const numbersOf = (received: readonly Received[], aggregateId: string) =>
  received.flatMap(({ event }) => (event.data.aggregate.id === aggregateId ? [event.data.payload?.n] : []));
const eventsOf = (aggregateId: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ aggregateId, sequence: n + 1, payload: { n: n + 1 } }));

test("a delivery is signed as Standard Webhooks says", async () => {
  const receiver = await start();
  const added = await call(service, "AddWebhook", { name: "CRM", url: receiver.url, includesPayload: true });
  await service.webhooks.deliverDue();
  const [first] = receiver.received;
  if (first === undefined) throw new Error("nothing was received");
  const { body, headers } = first;
  // Throws for a wrong signature, and for a time that is not now.
  expect(new Webhook(String(added.signingKey)).verify(body, headers)).toEqual({
    type: "org.webhook.added",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: {
      sequence: expect.stringMatching(/^\d+$/),
      aggregate: { id: added.id, type: "webhook", resourceOwner: service.orgId },
      editor: { userId: service.adminId },
      payload: { name: "CRM", host: new URL(receiver.url).host, eventTypes: [], includesPayload: true },
    },
  });
  expect(() => new Webhook(String(added.signingKey)).verify(`${body} `, headers)).toThrow("No matching signature");
  expect(headers["content-type"]).toBe("application/json");
  expect(await deliveriesOf(String(added.id))).toMatchObject([
    { id: first.id, state: "WEBHOOK_DELIVERY_STATE_SENT", eventType: "org.webhook.added", attempts: 1 },
  ]);
});

test("only events of the types arrive, without payloads, and without those of other organizations", async () => {
  const receiver = await start();
  const { id } = await addWebhook(receiver, { eventTypes: ["user.human.profile.changed"] });
  const [own, foreign] = [randomUUID(), randomUUID()];
  await appendEvents(service, service.orgId, eventsOf(own, 1));
  await appendEvents(service, await service.createOrg(`Other ${randomUUID()}`), eventsOf(foreign, 1));
  await importAda(service, { userName: "ada" });
  await service.webhooks.deliverDue();
  expect(receiver.received.map(({ event }) => event.data.aggregate.id)).toEqual([own]);
  expect(receiver.received[0]?.event.data).not.toHaveProperty("payload");
  expect(await deliveriesOf(id)).toHaveLength(1);
});

test("a payload that was erased in the meantime is not sent", async () => {
  const receiver = await start();
  await addWebhook(receiver, { includesPayload: true });
  const userId = await importAda(service, { userName: "erased" });
  await call(service, "RemoveUser", { id: userId });
  await service.webhooks.deliverDue();
  const ofUser = receiver.received.filter(({ event }) => event.data.aggregate.id === userId);
  expect(ofUser.map(({ event }) => event.type)).toContain("user.human.added");
  for (const { event } of ofUser) {
    expect(event.data.payload).toEqual(event.type === "user.removed" ? {} : undefined);
  }
});

test("the events of an object arrive in order, and one that fails holds up that object only", async () => {
  const receiver = await start();
  const { id } = await addWebhook(receiver, { includesPayload: true });
  const objects = Array.from({ length: 5 }, () => randomUUID());
  const [failing = "", ...others] = objects;
  for (let n = 1; n <= 10; n++) {
    await appendEvents(
      service,
      service.orgId,
      objects.map((aggregateId) => ({ aggregateId, sequence: n, payload: { n } })),
    );
  }
  let fails = true;
  receiver.respond = async ({ event }) => {
    await turn();
    return fails && event.data.aggregate.id === failing ? 503 : 200;
  };
  await service.webhooks.deliverDue();
  const all = Array.from({ length: 10 }, (_, n) => n + 1);
  // Deliveries that waited for an earlier one are due again after a second at most.
  service.clockOffsetMs += 2_000;
  await service.webhooks.deliverDue();
  for (const other of others) expect(numbersOf(receiver.received, other)).toEqual(all);
  // Once, or again on a slow machine.
  expect([...new Set(numbersOf(receiver.received, failing))]).toEqual([1]);
  expect((await deliveriesOf(id, "WEBHOOK_DELIVERY_STATE_WAITING")).map(({ lastError }) => lastError)).toEqual([
    "the response has the status 503",
    ...Array.from({ length: 9 }, () => undefined),
  ]);
  fails = false;
  service.clockOffsetMs += 10_000;
  await service.webhooks.deliverDue();
  expect([...new Set(numbersOf(receiver.received, failing))]).toEqual(all);
  expect(numbersOf(receiver.received, failing).slice(-10)).toEqual(all);
  const [first, second] = receiver.received.filter(({ event }) => event.data.aggregate.id === failing);
  expect(second?.id).toBe(first?.id);
  expect(await deliveriesOf(id, "WEBHOOK_DELIVERY_STATE_WAITING")).toEqual([]);
});

test("webhooks that do not respond or fail do not hold up another one", async () => {
  const [held, failing, healthy] = [await start(), await start(), await start()];
  const stuck = Promise.withResolvers<number>();
  const settings = { eventTypes: ["user.human.profile.changed"], includesPayload: true };
  for (let n = 0; n < 10; n++) await addWebhook(held, settings);
  for (let n = 0; n < 5; n++) await addWebhook(failing, settings);
  await addWebhook(healthy, settings);
  held.respond = () => stuck.promise;
  failing.respond = () => 500;
  const { config, db, keyring, clock, log } = { ...service, log: { debug() {}, warn() {}, error() {} } as never };
  const delivery = deliverWebhooks({ config, db, keyring, clock, log });
  delivery.start();
  const startedAt = performance.now();
  const objects = Array.from({ length: 60 }, () => randomUUID());
  await appendEvents(
    service,
    service.orgId,
    objects.map((aggregateId) => ({ aggregateId, sequence: 1, payload: { n: 1 } })),
  );
  await until("the healthy one has all events", () => healthy.received.length === objects.length);
  await until("the others were called", () => held.received.length > 0 && failing.received.length >= 5);
  // Those that do not respond keep at most this many places, each for the time limit of a delivery.
  const limits = 1 + Math.floor((performance.now() - startedAt) / SEND_LIMIT_MS);
  expect(held.received.length).toBeLessThanOrEqual(limits * 10 * MAX_PER_WEBHOOK);
  expect(10 * MAX_PER_WEBHOOK).toBeLessThanOrEqual(MAX_SLOW_IN_FLIGHT);
  expect(new Set(idsOf(healthy.received)).size).toBe(objects.length);
  stuck.resolve(204);
  await delivery.stop(10_000);
});

test("a failed delivery is repeated with the same id until three days after its event", async () => {
  const receiver = await start();
  const { id } = await addWebhook(receiver, { eventTypes: ["user.human.profile.changed"] });
  receiver.respond = () => 500;
  await appendEvents(service, service.orgId, eventsOf(randomUUID(), 1));
  const startedAt = service.clock().getTime();
  let waited: number[] = [];
  for (;;) {
    await service.webhooks.deliverDue();
    const [delivery] = await deliveriesOf(id);
    if (delivery?.state === "WEBHOOK_DELIVERY_STATE_FAILED") break;
    const next = Date.parse(String(delivery?.nextAttemptDate)) - service.clock().getTime();
    waited = [...waited, next];
    service.clockOffsetMs += next + 1;
  }
  const hours = (service.clock().getTime() - startedAt) / HOUR_MS;
  expect(hours).toBeGreaterThan(70);
  expect(hours).toBeLessThanOrEqual(72);
  expect(waited[0]).toBeLessThanOrEqual(6_000);
  expect(Math.max(...waited)).toBeLessThanOrEqual(HOUR_MS + 1_000);
  expect(receiver.received).toHaveLength(waited.length + 1);
  expect(new Set(idsOf(receiver.received)).size).toBe(1);
  expect(await deliveriesOf(id)).toMatchObject([
    { attempts: waited.length + 1, lastError: "the response has the status 500", endDate: expect.any(String) },
  ]);
});

test("a test event of any type is signed and marked, and its request and response are returned", async () => {
  const receiver = await start();
  const { id, signingKey } = await addWebhook(receiver, { includesPayload: true, eventTypes: ["org.changed"] });
  receiver.body = "\0stored";
  receiver.respond = () => 202;
  await call(service, "DeactivateWebhook", { id });
  for (const eventType of WEBHOOK_EVENT_TYPES.slice(0, 58)) {
    const checked = await call(service, "CheckWebhook", { id, eventType });
    const { body = "", headers = {} } = receiver.received.pop() ?? {};
    expect(new Webhook(signingKey).verify(body, headers)).toMatchObject({
      ...{ type: eventType, test: true },
      data: { sequence: "0", aggregate: { resourceOwner: service.orgId }, payload: expect.any(Object) },
    });
    expect(checked).toMatchObject({ requestBody: body, responseStatus: 202, responseBody: "\0stored" });
    expect(checked.requestHeaders).toMatchObject({ "webhook-signature": headers["webhook-signature"] });
    expect(checked.error).toBeUndefined();
  }
  expect(await deliveriesOf(id)).toHaveLength(0);
  receiver.respond = () => 500;
  expect(await call(service, "CheckWebhook", { id, eventType: "user.removed" })).toMatchObject({
    ...{ error: "the response has the status 500", responseStatus: 500 },
  });
  await receiver.close();
  receivers.length = 0;
  const unreached = await call(service, "CheckWebhook", { id, eventType: "user.removed" });
  expect(unreached).toMatchObject({ error: expect.stringMatching(/127\.0\.0\.1/) });
  expect(unreached.responseStatus).toBeUndefined();
  const caller = createCaller("rest", service, service.adminToken);
  const again = () => caller.call("CheckWebhook", { id, eventType: "user.removed" });
  await expectError(service.db, "rest", again, "TOO_MANY_WEBHOOK_CHECKS");
  const unknown = () => caller.call("CheckWebhook", { id, eventType: "instance.added" });
  await expectError(service.db, "rest", unknown, "INVALID_ARGUMENT", ["eventType"]);
  caller.close();
});

test("the reason of a failure has the beginning of the response", async () => {
  const receiver = await start();
  receiver.respond = () => 400;
  receiver.body = `no such\n tenant\0${"!".repeat(300)}`;
  const { id } = await addWebhook(receiver);
  expect(await deliveriesOf(id)).toMatchObject([
    { lastError: `the response has the status 400: no such tenant ${"!".repeat(185)}` },
  ]);
});

test("a delivery that failed, and one that was sent, are sent again by RetryWebhookDelivery", async () => {
  const receiver = await start();
  const { id } = await addWebhook(receiver, { eventTypes: ["user.human.profile.changed"] });
  receiver.respond = () => 500;
  await appendEvents(service, service.orgId, eventsOf(randomUUID(), 1));
  await service.webhooks.deliverDue();
  const [waiting] = await deliveriesOf(id);
  const deliveryId = String(waiting?.id);
  receiver.respond = () => 204;
  for (let attempts = 2; attempts <= 3; attempts++) {
    await call(service, "RetryWebhookDelivery", { id, deliveryId });
    await service.webhooks.deliverDue();
    expect(await deliveriesOf(id)).toMatchObject([{ id: deliveryId, state: "WEBHOOK_DELIVERY_STATE_SENT", attempts }]);
  }
  expect(idsOf(receiver.received)).toEqual([deliveryId, deliveryId, deliveryId]);
  const retried = await service.db
    .selectFrom("events")
    .select("payload")
    .where("type", "=", "org.webhook.delivery.retried")
    .where("aggregate_id", "=", id)
    .execute();
  expect(retried).toEqual([{ payload: { deliveryId } }, { payload: { deliveryId } }]);
});

test("a delivery that is being sent is not retried", async () => {
  const receiver = await start();
  const { id } = await addWebhook(receiver, { eventTypes: ["user.human.profile.changed"] });
  const stuck = Promise.withResolvers<number>();
  receiver.respond = () => stuck.promise;
  await appendEvents(service, service.orgId, eventsOf(randomUUID(), 1));
  const done = service.webhooks.deliverDue();
  await until("it is being sent", () => receiver.received.length === 1);
  const [delivery] = await deliveriesOf(id, "WEBHOOK_DELIVERY_STATE_SENDING");
  await expect(call(service, "RetryWebhookDelivery", { id, deliveryId: String(delivery?.id) })).rejects.toThrow(
    "the delivery is being sent",
  );
  stuck.resolve(204);
  await done;
  expect(receiver.received).toHaveLength(1);
});

test("for 24 hours after a rotation, both keys sign", async () => {
  const receiver = await start();
  const { id, signingKey: previous } = await addWebhook(receiver);
  const { signingKey } = await call(service, "RotateWebhookSigningKey", { id });
  await service.webhooks.deliverDue();
  const [both] = receiver.received.splice(0);
  for (const key of [previous, String(signingKey)]) {
    expect(new Webhook(key).verify(both?.body ?? "", both?.headers ?? {})).toMatchObject({
      type: "org.webhook.key.rotated",
    });
  }
  service.clockOffsetMs += 24 * HOUR_MS + 1_000;
  await appendEvents(service, service.orgId, eventsOf(randomUUID(), 1));
  await service.webhooks.deliverDue();
  const [later] = receiver.received;
  const { "webhook-timestamp": timestamp, "webhook-signature": signature } = later?.headers ?? {};
  const signedAt = new Date(Number(timestamp) * 1_000);
  expect(signature).toBe(new Webhook(String(signingKey)).sign(later?.id ?? "", signedAt, later?.body ?? ""));
});

test("a redirect is not followed", async () => {
  const target = await start();
  const receiver = await start({ location: target.url });
  const { id } = await addWebhook(receiver, { eventTypes: ["user.human.profile.changed"] });
  receiver.respond = () => 307;
  await appendEvents(service, service.orgId, eventsOf(randomUUID(), 1));
  await service.webhooks.deliverDue();
  expect(await deliveriesOf(id)).toMatchObject([{ lastError: "the response has the status 307" }]);
  expect([receiver.received.length, target.received.length]).toEqual([1, 0]);
});

test("a deactivated webhook gets nothing, and later neither the events that were recorded meanwhile", async () => {
  const receiver = await start();
  const { id } = await addWebhook(receiver, { eventTypes: ["user.human.profile.changed"], includesPayload: true });
  const object = randomUUID();
  const events = eventsOf(object, 3);
  receiver.respond = () => 500;
  await appendEvents(service, service.orgId, events.slice(0, 1));
  await service.webhooks.deliverDue();
  await call(service, "DeactivateWebhook", { id });
  await appendEvents(service, service.orgId, events.slice(1, 2));
  receiver.respond = () => 204;
  service.clockOffsetMs += HOUR_MS;
  await service.webhooks.deliverDue();
  expect(receiver.received).toHaveLength(1);
  await call(service, "ReactivateWebhook", { id });
  await appendEvents(service, service.orgId, events.slice(2, 3));
  await service.webhooks.deliverDue();
  expect(numbersOf(receiver.received, object)).toEqual([1, 1, 3]);
});

test("the webhooks of a deactivated organization pause", async () => {
  const receiver = await start();
  const orgId = await service.createOrg(`Paused ${randomUUID()}`);
  await call(service, "AddWebhook", { name: "CRM", url: receiver.url }, { "x-service-orgid": orgId });
  await service.db.updateTable("orgs").set({ state: "inactive" }).where("id", "=", orgId).execute();
  await service.webhooks.deliverDue();
  expect(receiver.received).toEqual([]);
  await service.db.updateTable("orgs").set({ state: "active" }).where("id", "=", orgId).execute();
  await service.webhooks.deliverDue();
  expect(receiver.received.map(({ event }) => event.type)).toEqual(["org.webhook.added"]);
});

test("at most 1,000 deliveries of a webhook wait, and the other events get theirs later", async () => {
  const receiver = await start();
  await addWebhook(receiver, { eventTypes: ["user.human.profile.changed"], includesPayload: true });
  const object = randomUUID();
  await appendEvents(service, service.orgId, eventsOf(object, MAX_WAITING + 500));
  const { db } = service;
  const readSettledPosition = createReadSettledPosition(db);
  const feed = async () => feedDeliveries(db, { settled: await readSettledPosition(), now: service.clock() });
  for (let examined = 1; examined > 0; ) ({ examined } = await feed());
  expect(await db.selectFrom("webhook_deliveries").select("id").where("state", "=", "waiting").execute()).toHaveLength(
    MAX_WAITING,
  );
  await db.updateTable("webhook_deliveries").set({ state: "sent", next_attempt_at: null }).execute();
  for (let examined = 1; examined > 0; ) ({ examined } = await feed());
  expect(await db.selectFrom("webhook_deliveries").select("id").where("state", "=", "waiting").execute()).toHaveLength(
    500,
  );
});

test("deliveries that have ended are deleted later, and all those of a webhook that was removed", async () => {
  const receiver = await start();
  const settings = { eventTypes: ["user.human.profile.changed"] };
  const [kept, removed] = [await addWebhook(receiver, settings), await addWebhook(receiver, settings)];
  receiver.respond = ({ event }) => (event.data.aggregate.id === failing ? 500 : 204);
  const failing = randomUUID();
  await appendEvents(service, service.orgId, [...eventsOf(failing, 1), ...eventsOf(randomUUID(), 1)]);
  await service.webhooks.deliverDue();
  await call(service, "RemoveWebhook", { id: removed.id });
  expect(await ENDED_DELIVERIES.deleteBatch(service.db, new Date(0))).toBe(0);
  service.clockOffsetMs = HOUR_MS;
  expect(await ENDED_DELIVERIES.deleteBatch(service.db, service.clock())).toBe(3);
  expect(await deliveriesOf(kept.id)).toMatchObject([{ aggregateId: failing }]);
});

test("an address that is not public is refused, and nothing is sent to it", async () => {
  const service = await startService("postgres");
  const receiver = await startReceiver();
  const { id } = await call(service, "AddWebhook", { name: "CRM", url: receiver.url });
  await service.webhooks.deliverDue();
  const { result } = await call(service, "ListWebhookDeliveries", { id: String(id) });
  expect(result).toMatchObject([
    { state: "WEBHOOK_DELIVERY_STATE_WAITING", lastError: "127.0.0.1 has an address that is not public" },
  ]);
  expect(receiver.received).toEqual([]);
  await receiver.close();
  await service.close();
});

test("events of many organizations are fed and sent by two processes, each once", async () => {
  const service = await startService("postgres", { IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  const receiver = await startReceiver();
  const orgs = await Promise.all(Array.from({ length: 10 }, (_, n) => service.createOrg(`Org ${n}`)));
  for (const orgId of orgs) {
    const settings = {
      name: "CRM",
      url: receiver.url,
      eventTypes: ["user.human.profile.changed"],
      includesPayload: true,
    };
    await call(service, "AddWebhook", settings, { "x-service-orgid": orgId });
  }
  const objects = orgs.map((orgId) => ({ orgId, id: randomUUID() }));
  for (const { orgId, id } of objects) {
    const events = Array.from({ length: 20 }, (_, n) => ({ aggregateId: id, sequence: n + 1, payload: { n: n + 1 } }));
    await appendEvents(service, orgId, events);
  }
  const log = { debug() {}, warn() {}, error() {} } as never;
  const { config, db, keyring, clock } = service;
  const deliveries = [1, 2].map(() => deliverWebhooks({ config, db, keyring, clock, log }));
  for (const delivery of deliveries) delivery.start();
  await until("all have arrived", () => receiver.received.length >= 200);
  await Promise.all(deliveries.map((delivery) => delivery.stop(10_000)));
  expect(receiver.received).toHaveLength(200);
  for (const { id } of objects) {
    const numbers = receiver.received.flatMap(({ event }) =>
      event.data.aggregate.id === id ? [event.data.payload?.n] : [],
    );
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  }
  expect(deliveries.reduce((sum, { counters }) => sum + counters.sent, 0)).toBe(200);
  await receiver.close();
  await service.close();
});
