import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { importAda } from "../../support/browsers/visitor.ts";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PAST = new Date("2026-01-01T00:00:00Z");
const FUTURE = new Date("2200-01-01T00:00:00Z");

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  caller = createCaller("grpc", service, service.adminToken);
});
afterEach(async () => {
  await service.db.deleteFrom("messages").execute();
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const messageOf = (userId: string) =>
  service.db.selectFrom("messages").selectAll().where("user_id", "=", userId).executeTakeFirstOrThrow();

/** Imports a user who gets an email, and returns the message. */
async function invite(state: object = { state: "waiting" }) {
  const userId = await importAda(service);
  await service.db.updateTable("messages").set(state).where("user_id", "=", userId).execute();
  return await messageOf(userId);
}

async function call(rpc: Rpc, request: JsonObject, headers?: Record<string, string>): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

const list = async (request: JsonObject = {}, headers?: Record<string, string>) =>
  ((await call("ListUserMessages", request, headers)).result ?? []) as JsonObject[];

test("messages are listed with their users, the latest first, and without their contents", async () => {
  const first = await invite();
  const second = await invite({
    state: "failed",
    next_attempt_at: null,
    ended_at: PAST,
    attempts: 3,
    last_error: "550 no",
  });
  const messages = await list();
  expect(messages.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(messages[0]).toMatchObject({
    userId: second.user_id,
    displayName: "Ada Lovelace",
    kind: "initialization",
    channel: "USER_MESSAGE_CHANNEL_EMAIL",
    recipient: "ada@example.com",
    state: "USER_MESSAGE_STATE_FAILED",
    attempts: 3,
    endDate: expect.any(String),
    lastError: "550 no",
  });
  expect(messages[0]).not.toHaveProperty("nextAttemptDate");
  expect(messages[1]).toMatchObject({
    state: "USER_MESSAGE_STATE_WAITING",
    creationDate: expect.any(String),
    nextAttemptDate: expect.any(String),
  });
  expect(JSON.stringify(messages)).not.toContain("code=");
});

test("a state and a user narrow the list, and the total counts what they leave", async () => {
  const waiting = await invite();
  const sending = await invite({ attempts: 1, next_attempt_at: FUTURE });
  const retrying = await invite({ attempts: 1, next_attempt_at: FUTURE, last_error: "421 later" });
  const expired = await invite({
    state: "expired",
    next_attempt_at: null,
    ended_at: PAST,
    content: null,
    content_key: null,
  });
  const idsIn = async (state: string) => (await list({ state: `USER_MESSAGE_STATE_${state}` })).map(({ id }) => id);
  expect(await idsIn("WAITING")).toEqual([retrying.id, waiting.id]);
  expect(await idsIn("SENDING")).toEqual([sending.id]);
  expect(await idsIn("EXPIRED")).toEqual([expired.id]);
  expect(await idsIn("SENT")).toEqual([]);
  const { details } = await call("ListUserMessages", { state: "USER_MESSAGE_STATE_WAITING", query: { limit: 1 } });
  expect(details).toMatchObject({ totalResult: "2", nextPageToken: expect.any(String) });
  // A notice has no code.
  const notice = { org_id: service.orgId, id: randomUUID(), user_id: waiting.user_id, notice: "password-changed" };
  await service.db
    .insertInto("messages")
    .values({ ...notice, channel: "email", recipient: "ada@example.com", created_at: PAST, next_attempt_at: PAST })
    .execute();
  const ofUser = await list({ userId: waiting.user_id });
  expect(ofUser.map(({ kind }) => kind).sort()).toEqual(["initialization", "password-changed"]);
  for (const userId of [randomUUID(), "no-id"]) expect(await list({ userId })).toEqual([]);
});

test("an email to somebody who registers has no user", async () => {
  await service.db
    .insertInto("messages")
    .values({
      ...{ org_id: service.orgId, id: randomUUID(), user_id: randomUUID(), notice: "registration" },
      ...{ channel: "email", recipient: "new@example.com", created_at: PAST, next_attempt_at: PAST },
    })
    .execute();
  const [message] = await list();
  expect(message).toMatchObject({ kind: "registration", recipient: "new@example.com" });
  expect(message).not.toHaveProperty("userId");
});

test("another organization sees and sends none of them", async () => {
  const { id: messageId, user_id: userId } = await invite();
  const headers = { "x-service-orgid": await service.createOrg("Other") };
  expect(await list({}, headers)).toEqual([]);
  expect(await list({ userId }, headers)).toEqual([]);
  const retry = () => caller.call("RetryUserMessage", { userId, messageId }, headers);
  await expectError(service.db, "grpc", retry, "USER_NOT_FOUND");
});

test.each([
  ["failed", { state: "failed", next_attempt_at: null, ended_at: PAST, attempts: 3, last_error: "550 no" }],
  ["waits for its next attempt", { attempts: 1, next_attempt_at: FUTURE, last_error: "421 later" }],
] as const)("a message that %s is sent again, with an event of the user", async (_state, state) => {
  const { id: messageId, user_id: userId } = await invite(state);
  const { details } = await call("RetryUserMessage", { userId, messageId });
  expect(details).toMatchObject({ resourceOwner: service.orgId });
  await service.delivery.deliverDue();
  expect(await messageOf(userId)).toMatchObject({ state: "sent", content: null });
  const events = await service.db
    .selectFrom("events")
    .select(["type", "payload", "editor_id"])
    .where("aggregate_id", "=", userId)
    .orderBy("sequence", "desc")
    .limit(1)
    .execute();
  expect(events).toEqual([{ type: "user.human.message.retried", payload: { messageId }, editor_id: service.adminId }]);
});

test.each([
  ["is being sent", { attempts: 1, next_attempt_at: FUTURE }],
  ["was sent", { state: "sent", next_attempt_at: null, ended_at: PAST, content: null, content_key: null }],
  ["has expired", { state: "expired", next_attempt_at: null, ended_at: PAST, content: null, content_key: null }],
] as const)("a message that %s is not sent again", async (_state, state) => {
  const before = await invite(state);
  const retry = () => caller.call("RetryUserMessage", { userId: before.user_id, messageId: before.id });
  await expectError(service.db, "grpc", retry, "MESSAGE_STATE");
  expect(await messageOf(before.user_id)).toEqual(before);
});

test("a message to another user, and one that does not exist, are not found", async () => {
  const [one, other] = [await invite(), await invite()];
  for (const messageId of [other.id, randomUUID(), "no-id"]) {
    const retry = () => caller.call("RetryUserMessage", { userId: one.user_id, messageId });
    await expectError(service.db, "grpc", retry, "MESSAGE_NOT_FOUND");
  }
});
