import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { MAX_WEBHOOKS } from "../../src/webhooks/change-webhook.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const WEBHOOK = { name: "CRM", url: "https://crm.example.com/signet?token=secret-of-url" };
const SIGNING_KEY = /^whsec_[A-Za-z0-9+/]{43}=$/;
/** All calls about one webhook. */
const CALLS: readonly (readonly [Rpc, JsonObject])[] = [
  ["UpdateWebhook", WEBHOOK],
  ["RemoveWebhook", {}],
  ["DeactivateWebhook", {}],
  ["ReactivateWebhook", {}],
  ["RotateWebhookSigningKey", {}],
  ["ListWebhookDeliveries", {}],
  ["RetryWebhookDelivery", { deliveryId: randomUUID() }],
  ["CheckWebhook", { eventType: "org.changed" }],
];

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
});
afterEach(async () => {
  await service.db.deleteFrom("webhooks").execute();
  await service.db.deleteFrom("webhook_deliveries").execute();
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const eventsOf = (id: string) =>
  service.db
    .selectFrom("events")
    .select(["type", "payload", "editor_id"])
    .where("aggregate_id", "=", id)
    .orderBy("sequence")
    .execute();

async function call(rpc: Rpc, request: JsonObject, headers?: Record<string, string>): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

async function add(request: JsonObject = WEBHOOK): Promise<string> {
  return String((await call("AddWebhook", request)).id);
}

const list = async () => (await call("ListWebhooks", {})).result ?? [];

test("a webhook is added with a signing key, which is encrypted and not shown again", async () => {
  const { id, details, signingKey } = await call("AddWebhook", WEBHOOK);
  expect(signingKey).toMatch(SIGNING_KEY);
  expect(details).toMatchObject({ sequence: "1", resourceOwner: service.orgId });
  const [webhook] = (await list()) as JsonObject[];
  expect(webhook).toMatchObject({ id, ...WEBHOOK, state: "WEBHOOK_STATE_ACTIVE" });
  expect(JSON.stringify(webhook)).not.toContain("whsec_");
  const { secret } = await service.db.selectFrom("webhook_keys").select("secret").executeTakeFirstOrThrow();
  expect(secret.toString("latin1")).not.toContain(String(signingKey).slice(6));
  // Events are shown to more callers than webhooks, so they do not contain the path and the query.
  expect(await eventsOf(String(id))).toEqual([
    {
      type: "org.webhook.added",
      payload: { name: "CRM", host: "crm.example.com", eventTypes: [], includesPayload: false },
      editor_id: service.adminId,
    },
  ]);
});

test("its settings are replaced, and the same settings add no event", async () => {
  const id = await add();
  const changed = {
    ...{ id, name: "ERP", url: "https://erp.example.com/" },
    ...{ eventTypes: ["user.human.added", "user.removed"], includesPayload: true },
  };
  expect(await call("UpdateWebhook", changed)).toMatchObject({ details: { sequence: "2" } });
  expect(await call("UpdateWebhook", changed)).toMatchObject({ details: { sequence: "2" } });
  expect(await list()).toMatchObject([changed]);
  const { url: _, id: __, ...payload } = { ...changed, host: "erp.example.com" };
  expect((await eventsOf(id))[1]).toMatchObject({ type: "org.webhook.changed", payload });
});

test("it is deactivated, reactivated and removed", async () => {
  const id = await add();
  await call("DeactivateWebhook", { id });
  expect(await list()).toMatchObject([{ state: "WEBHOOK_STATE_INACTIVE" }]);
  await expectError(service.db, "grpc", () => caller.call("DeactivateWebhook", { id }), "WEBHOOK_STATE");
  await call("ReactivateWebhook", { id });
  await expectError(service.db, "grpc", () => caller.call("ReactivateWebhook", { id }), "WEBHOOK_STATE");
  expect(await call("RemoveWebhook", { id })).toMatchObject({ details: { sequence: "4" } });
  expect(await list()).toEqual([]);
  expect(await service.db.selectFrom("webhook_keys").select("id").execute()).toEqual([]);
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
    "org.webhook.added",
    "org.webhook.deactivated",
    "org.webhook.reactivated",
    "org.webhook.removed",
  ]);
});

test("a rotation returns another key and keeps the previous one, and no older one", async () => {
  const { id, signingKey } = await call("AddWebhook", WEBHOOK);
  const second = await call("RotateWebhookSigningKey", { id: String(id) });
  const third = await call("RotateWebhookSigningKey", { id: String(id) });
  expect(new Set([signingKey, second.signingKey, third.signingKey]).size).toBe(3);
  expect(third.signingKey).toMatch(SIGNING_KEY);
  expect(await service.db.selectFrom("webhook_keys").select("id").execute()).toHaveLength(2);
});

test("settings that break a rule are rejected, all at once", async () => {
  const request = {
    name: "a\u0000b",
    url: "http://crm.example.com/#x",
    eventTypes: ["user.human.added", "user.human.aded", "instance.member.added"],
  };
  const outcome = await caller.call("AddWebhook", request);
  expect(outcome).toMatchObject({
    ok: false,
    reason: "INVALID_ARGUMENT",
    fields: ["eventTypes[1]", "eventTypes[2]", "name", "url"],
  });
  for (const url of ["http://crm.example.com/", "https://user:password@crm.example.com/", "ftp://a.example"]) {
    expect(await caller.call("AddWebhook", { name: "CRM", url })).toMatchObject({ ok: false, fields: ["url"] });
  }
});

test("a webhook of another organization is not found, nor is an unknown one", async () => {
  const id = await add();
  const other = await service.createOrg("Other");
  const headers = { "x-service-orgid": other };
  for (const [rpc, request] of CALLS) {
    const foreign = () => caller.call(rpc, { ...request, id }, headers);
    await expectError(service.db, "grpc", foreign, "WEBHOOK_NOT_FOUND");
    for (const unknown of [randomUUID(), "no-id"]) {
      const call = () => caller.call(rpc, { ...request, id: unknown });
      await expectError(service.db, "grpc", call, "WEBHOOK_NOT_FOUND");
    }
  }
  expect((await call("ListWebhooks", {}, headers)).result ?? []).toEqual([]);
  expect(await eventsOf(id)).toHaveLength(1);
});

test("a delivery of another webhook is not found", async () => {
  const [id, otherId] = [await add(), await add()];
  await service.webhooks.deliverDue();
  const deliveriesOf = async (webhookId: string) =>
    (await call("ListWebhookDeliveries", { id: webhookId })).result as JsonObject[];
  const [delivery] = await deliveriesOf(otherId);
  for (const deliveryId of [String(delivery?.id), randomUUID(), "no-id"]) {
    const retry = () => caller.call("RetryWebhookDelivery", { id, deliveryId });
    await expectError(service.db, "grpc", retry, "WEBHOOK_DELIVERY_NOT_FOUND");
  }
});

test("an organization has at most 20 webhooks, also if many are added at once", async () => {
  const caller = createCaller("rest", service, service.adminToken);
  const outcomes = await Promise.all(
    Array.from({ length: MAX_WEBHOOKS + 5 }, () => caller.call("AddWebhook", WEBHOOK)),
  );
  const failed = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]));
  expect(failed.every((reason) => reason === "TOO_MANY_WEBHOOKS" || reason === "ABORTED")).toBe(true);
  for (let added = outcomes.length - failed.length; added < MAX_WEBHOOKS; added++) {
    expect(await caller.call("AddWebhook", WEBHOOK)).toMatchObject({ ok: true });
  }
  const another = () => caller.call("AddWebhook", WEBHOOK);
  await expectError(service.db, "rest", another, "TOO_MANY_WEBHOOKS");
  expect(await service.db.selectFrom("webhooks").select("id").execute()).toHaveLength(MAX_WEBHOOKS);
  caller.close();
});

test("a call with an idempotency key adds one webhook, and its key is returned again", async () => {
  const caller = createCaller("rest", service, service.adminToken);
  const add = () => caller.call("AddWebhook", WEBHOOK, { "idempotency-key": "add" });
  const first = await add();
  expect(first).toMatchObject({ ok: true, message: { signingKey: expect.stringMatching(SIGNING_KEY) } });
  expect(await add()).toMatchObject({ ok: true, message: first.ok ? first.message : {} });
  expect(await service.db.selectFrom("webhooks").select("id").execute()).toHaveLength(1);
  caller.close();
});
