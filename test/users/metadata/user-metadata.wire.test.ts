import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

let service: TestService;
let caller: Caller;
let users = 0;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function send(rpc: Rpc, request: JsonObject, headers = {}): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

async function newUser(): Promise<string> {
  const { userId } = await send("ImportHumanUser", { userName: `user-${++users}`, ...HUMAN });
  return String(userId);
}

/** The values of a user by key. */
async function valuesOf(id: string, queries: JsonObject[] = []): Promise<Record<string, string>> {
  const { result = [] } = await send("ListUserMetadata", { id, queries, query: { asc: true } });
  const rows = result as { key: string; value: string }[];
  return Object.fromEntries(rows.map(({ key, value }) => [key, Buffer.from(value, "base64").toString()]));
}

async function find(metadataQuery: JsonObject): Promise<unknown[]> {
  const { result = [] } = await send("ListUsers", { queries: [{ metadataQuery }], query: { asc: true } });
  return (result as JsonObject[]).map(({ id }) => id);
}

test("a value is stored, replaced, read and removed", async () => {
  const id = await newUser();
  expect(await send("SetUserMetadata", { id, key: "plan", value: base64("gold") })).toMatchObject({ id });
  await send("SetUserMetadata", { id, key: "Plan", value: base64("other case") });
  const first = await send("GetUserMetadata", { id, key: "plan" });
  expect(first.metadata).toMatchObject({ key: "plan", value: base64("gold"), details: { sequence: "3" } });
  const replaced = await send("SetUserMetadata", { id, key: "plan", value: base64("\u0000\u0001") });
  expect(replaced.details).toMatchObject({ sequence: "5", resourceOwner: service.orgId });
  // The same again changes nothing.
  expect(await send("SetUserMetadata", { id, key: "plan", value: base64("\u0000\u0001") })).toEqual(replaced);
  expect(await valuesOf(id)).toEqual({ Plan: "other case", plan: "\u0000\u0001" });
  await send("RemoveUserMetadata", { id, key: "plan" });
  expect(await valuesOf(id)).toEqual({ Plan: "other case" });
  for (const rpc of ["GetUserMetadata", "RemoveUserMetadata"] as const) {
    const missing = () => caller.call(rpc, { id, key: "plan" });
    await expectError(service.db, "grpc", missing, "METADATA_NOT_FOUND");
  }
  const { result } = await send("ListUserChanges", { userId: id });
  const types = (result as JsonObject[]).map(({ eventType }) => (eventType as JsonObject).key);
  expect(types.slice(0, 2)).toEqual(["user.metadata.removed", "user.metadata.set"]);
});

test("several values are stored or removed together, or none of them", async () => {
  const id = await newUser();
  const item = (key: string) => ({ key, value: base64(`value of ${key}`) });
  const key = { "idempotency-key": "bulk" };
  const request = { id, metadata: [item("a"), item("b"), item("c")] };
  const stored = await send("BulkSetUserMetadata", request, key);
  expect(stored).toMatchObject({ details: { sequence: "5" } });
  expect(await send("BulkSetUserMetadata", request, key)).toEqual(stored);
  const bRow = (await send("GetUserMetadata", { id, key: "b" })).metadata as JsonObject;
  expect(bRow.details).toMatchObject({ sequence: "4" });
  const removal = () => caller.call("BulkRemoveUserMetadata", { id, keys: ["a", "missing"] });
  await expectError(service.db, "grpc", removal, "METADATA_NOT_FOUND");
  await send("BulkRemoveUserMetadata", { id, keys: ["a", "c"] });
  expect(await valuesOf(id)).toEqual({ b: "value of b" });
});

test("a user has at most 50 values", async () => {
  const id = await newUser();
  const items = Array.from({ length: 50 }, (_, n) => ({ key: `key-${n}`, value: base64(`${n}`) }));
  await send("BulkSetUserMetadata", { id, metadata: items });
  await send("SetUserMetadata", { id, key: "key-0", value: base64("replaced") });
  const another = () => caller.call("SetUserMetadata", { id, key: "another", value: base64("1") });
  await expectError(service.db, "grpc", another, "METADATA_LIMIT");
  const { details } = await send("ListUserMetadata", { id, query: { limit: 20 } });
  expect(details).toMatchObject({ totalResult: "50" });
});

test("an external id is unique in the organization", async () => {
  const [id, other] = [await newUser(), await newUser()];
  const request = { key: "external_id", value: base64("4711") };
  await send("SetUserMetadata", { id, ...request });
  const second = () => caller.call("SetUserMetadata", { id: other, ...request });
  await expectError(service.db, "grpc", second, "EXTERNAL_ID_TAKEN");
  await send("SetUserMetadata", { id, ...request });
  await send("SetUserMetadata", { id: other, key: "other_id", value: request.value });
  await send("RemoveUser", { id });
  await send("SetUserMetadata", { id: other, ...request });
});

test("users are found by a value", async () => {
  const [gold, golden] = [await newUser(), await newUser()];
  const key = "plan";
  await send("SetUserMetadata", { id: gold, key, value: base64("gold") });
  await send("SetUserMetadata", { id: golden, key, value: base64("golden") });
  const method = (name: string) => ({ key, method: `TEXT_QUERY_METHOD_${name}` });
  expect(await find({ key, value: base64("gold") })).toEqual([gold]);
  expect(await find({ ...method("STARTS_WITH"), value: base64("gold") })).toEqual([gold, golden]);
  expect(await find({ ...method("CONTAINS"), value: base64("olde") })).toEqual([golden]);
  expect(await find({ ...method("ENDS_WITH"), value: base64("en") })).toEqual([golden]);
  expect(await find({ ...method("ENDS_WITH"), value: base64("a golden") })).toEqual([]);
  expect(await find({ key: "other", value: base64("gold") })).toEqual([]);
  const noCase = () =>
    caller.call("ListUsers", {
      queries: [{ metadataQuery: { ...method("EQUALS_IGNORE_CASE"), value: base64("gold") } }],
    });
  await expectError(service.db, "grpc", noCase, "INVALID_ARGUMENT", ["queries[0].metadataQuery.method"]);
});

test("metadata is listed by conditions on the key", async () => {
  const id = await newUser();
  for (const key of ["crm/id", "crm/owner", "plan"]) await send("SetUserMetadata", { id, key, value: base64(key) });
  const keyQuery = { key: "CRM/", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" };
  expect(Object.keys(await valuesOf(id, [{ keyQuery }]))).toEqual(["crm/id", "crm/owner"]);
  const empty = () => caller.call("ListUserMetadata", { id, queries: [{}] });
  await expectError(service.db, "grpc", empty, "INVALID_ARGUMENT", ["queries[0]"]);
});

test("keys and values must follow the rules", async () => {
  const id = await newUser();
  const cases: [Rpc, JsonObject, string[]][] = [
    ["SetUserMetadata", { id, key: " plan", value: base64("gold") }, ["key"]],
    ["SetUserMetadata", { id, key: "pl\u200ban", value: base64("a".repeat(2_001)) }, ["key", "value"]],
    ["SetUserMetadata", { id, key: "k".repeat(201) }, ["key", "value"]],
    ["BulkSetUserMetadata", { id, metadata: [] }, ["metadata"]],
    [
      "BulkSetUserMetadata",
      { id, metadata: ["a", "b", "a"].map((key) => ({ key, value: base64("1") })) },
      ["metadata[2].key"],
    ],
    ["BulkRemoveUserMetadata", { id, keys: ["a", "a"] }, ["keys[1]"]],
  ];
  for (const [rpc, request, fields] of cases) {
    await expectError(service.db, "grpc", () => caller.call(rpc, request), "INVALID_ARGUMENT", fields);
  }
});

test("a user of another organization is not found", async () => {
  const orgId = await service.createOrg("Elsewhere");
  const { userId } = await service.createToken({ orgId });
  for (const id of [userId, randomUUID(), "ada"]) {
    const calls: [Rpc, JsonObject][] = [
      ["SetUserMetadata", { id, key: "plan", value: base64("gold") }],
      ["ListUserMetadata", { id }],
      ["GetUserMetadata", { id, key: "plan" }],
      ["RemoveUserMetadata", { id, key: "plan" }],
    ];
    for (const [rpc, request] of calls) {
      await expectError(service.db, "grpc", () => caller.call(rpc, request), "USER_NOT_FOUND");
    }
  }
});
