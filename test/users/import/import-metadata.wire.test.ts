import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const item = (key: string, value: string) => ({ key, value: base64(value) });
const UNVERIFIED = { email: { email: "ada@example.com" }, phone: { phone: "+41791234567" } };

let service: TestService;
let caller: Caller;
let users = 0;
beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const newName = () => `user-${++users}`;
const importHuman = (changes: JsonObject) =>
  caller.call("ImportHumanUser", { userName: newName(), ...HUMAN, ...changes });

async function send(rpc: Rpc, request: JsonObject): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

async function imported(changes: JsonObject): Promise<string> {
  const { userId } = await send("ImportHumanUser", { userName: newName(), ...HUMAN, ...changes });
  return String(userId);
}

async function eventsOf(userId: string): Promise<string[]> {
  const rows = await service.db
    .selectFrom("events")
    .select("type")
    .where("aggregate_id", "=", userId)
    .orderBy("sequence")
    .execute();
  return rows.map(({ type }) => type);
}

const countMessages = async () => (await service.db.selectFrom("messages").select("id").execute()).length;

test("metadata is stored with the user, each value with the sequence of its event", async () => {
  const { idpId } = await send("AddOrgOIDCIDP", {
    name: "Corp",
    ...{ clientId: "c", clientSecret: service.secret("client-secret"), issuer: "https://idp.example.com" },
  });
  const id = await imported({
    metadata: [item("plan", "gold"), item("external_id", "4711")],
    idps: [{ configId: String(idpId), externalUserId: "x" }],
  });
  const { result } = await send("ListUserMetadata", { id, query: { asc: true } });
  expect(result).toMatchObject([
    { ...item("external_id", "4711"), details: { sequence: "3" } },
    { ...item("plan", "gold"), details: { sequence: "2" } },
  ]);
  expect(await eventsOf(id)).toEqual([
    "user.human.added",
    "user.metadata.set",
    "user.metadata.set",
    "user.human.idp.linked",
    "user.human.email.verified",
  ]);
  const query = { key: "external_id", value: base64("4711") };
  const { result: found } = await send("ListUsers", { queries: [{ metadataQuery: query }] });
  expect(found).toMatchObject([{ id }]);
});

test("of two imports with one external id at once, one arrives", async () => {
  const metadata = [item("external_id", "4712")];
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => importHuman({ metadata })));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  for (const outcome of outcomes) if (!outcome.ok) expect(outcome.reason).toBe("EXTERNAL_ID_TAKEN");
  await expectError(service.db, "grpc", () => importHuman({ metadata }), "EXTERNAL_ID_TAKEN");
});

test.each([
  ["a key twice", { metadata: [item("a", "1"), item("a", "2")] }, "metadata[1].key"],
  ["a key with white space", { metadata: [item(" a", "1")] }, "metadata[0].key"],
  ["an empty key", { metadata: [item("", "1")] }, "metadata[0].key"],
  ["an empty value", { metadata: [item("a", "")] }, "metadata[0].value"],
  ["a value of 2,001 bytes", { metadata: [item("a", "x".repeat(2_001))] }, "metadata[0].value"],
  ["51 values", { metadata: Array.from({ length: 51 }, (_, number) => item(`${number}`, "1")) }, "metadata"],
  ["another state", { state: 4 }, "state"],
  [
    "a passkey of an inactive user",
    { state: "STATE_INACTIVE", requestPasswordlessRegistration: true },
    "requestPasswordlessRegistration",
  ],
] as const)("%s is rejected", async (_what, changes, field) => {
  await expectError(service.db, "grpc", () => importHuman(changes as JsonObject), "INVALID_ARGUMENT", [field]);
});

test("50 values of 2,000 bytes are stored", async () => {
  const metadata = Array.from({ length: 50 }, (_, number) => item(`${number}`, "x".repeat(2_000)));
  const id = await imported({ metadata });
  const { result } = await send("ListUserMetadata", { id });
  expect(result).toHaveLength(50);
});

test("an inactive user gets no messages, and can be reactivated", async () => {
  const before = await countMessages();
  const id = await imported({ ...UNVERIFIED, state: "STATE_INACTIVE" });
  expect(await countMessages()).toBe(before);
  expect(await eventsOf(id)).toEqual(["user.human.added", "user.deactivated"]);
  expect(await send("GetUserByID", { id })).toMatchObject({ user: { state: "USER_STATE_INACTIVE" } });
  await send("ReactivateUser", { id });
  expect(await send("GetUserByID", { id })).toMatchObject({ user: { details: { sequence: "3" } } });
});

test("STATE_ACTIVE is the default", async () => {
  const id = await imported({ state: "STATE_ACTIVE" });
  expect(await eventsOf(id)).toEqual(["user.human.added", "user.human.email.verified"]);
});
