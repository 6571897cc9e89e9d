import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type ReadRpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let caller: Caller;
/** By name, in order of creation. */
let ids: Record<string, string>;

beforeAll(async () => {
  service = await startService("postgres");
  ids = { default: service.orgId };
  for (const name of ["Zürich", "Alpha_1", "alpha%2"]) {
    service.clockOffsetMs += 10;
    ids[name] = await service.createOrg(name);
  }
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const read = async (rpc: ReadRpc, request: JsonObject, headers = {}): Promise<JsonObject> => {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};
const namesOf = async (request: JsonObject) =>
  (((await read("ListOrgs", request)).result ?? []) as { name: string }[]).map(({ name }) => name);

test("GetMyOrg returns the organization of the call", async () => {
  const details = { sequence: "1", resourceOwner: service.orgId };
  const org = { id: service.orgId, name: "default", state: "ORG_STATE_ACTIVE", details };
  expect(await read("GetMyOrg", {})).toMatchObject({ org });
  const headers = { "x-service-orgid": String(ids.Zürich) };
  expect(await read("GetMyOrg", {}, headers)).toMatchObject({ org: { id: ids.Zürich, name: "Zürich" } });
});

test("GetOrgByID returns any organization", async () => {
  expect(await read("GetOrgByID", { id: String(ids.Zürich).toUpperCase() })).toMatchObject({
    org: { name: "Zürich" },
  });
  for (const id of [randomUUID(), "default"]) {
    await expectError(service.db, "grpc", () => caller.call("GetOrgByID", { id }), "ORG_NOT_FOUND");
  }
});

test("GetOrgByID says that an id is that of the instance", async () => {
  for (const id of [service.instanceId, service.instanceId.toUpperCase()]) {
    const outcome = await caller.call("GetOrgByID", { id });
    expect(outcome).toMatchObject({
      ok: false,
      reason: "ORG_NOT_FOUND",
      message: "this is the id of the instance, which is not an organization",
    });
  }
});

test("ListOrgs sorts by creation or by name", async () => {
  expect(await namesOf({})).toEqual(["alpha%2", "Alpha_1", "Zürich", "default"]);
  const query = { asc: true };
  expect(await namesOf({ query })).toEqual(["default", "Zürich", "Alpha_1", "alpha%2"]);
  const sortingColumn = "ORG_FIELD_NAME_NAME";
  expect(await namesOf({ query, sortingColumn })).toEqual(["alpha%2", "Alpha_1", "default", "Zürich"]);
  const { details } = (await read("ListOrgs", { query: { limit: 3 } })) as { details: Record<string, string> };
  expect(details.totalResult).toBe("4");
  expect(await namesOf({ query: { pageToken: details.nextPageToken ?? "" } })).toEqual(["default"]);
});

test("ListOrgs finds by name, id and state", async () => {
  const name = (text: string, method: string): JsonObject => ({
    queries: [{ nameQuery: { name: text, method: `TEXT_QUERY_METHOD_${method}` } }],
  });
  expect(await namesOf(name("ALPHA", "STARTS_WITH_IGNORE_CASE"))).toEqual(["alpha%2", "Alpha_1"]);
  expect(await namesOf(name("a_", "CONTAINS"))).toEqual(["Alpha_1"]);
  expect(await namesOf(name("ZÜRICH", "EQUALS_IGNORE_CASE"))).toEqual(["Zürich"]);
  expect(await namesOf({ queries: [{ idQuery: { id: String(ids.Zürich) } }] })).toEqual(["Zürich"]);
  expect(await namesOf({ queries: [{ idQuery: { id: "Zürich" } }] })).toEqual([]);
  expect(await namesOf({ queries: [{ stateQuery: { state: "ORG_STATE_ACTIVE" } }] })).toHaveLength(4);
  expect(await namesOf({ queries: [{ stateQuery: { state: "ORG_STATE_REMOVED" } }] })).toEqual([]);
  const empty = () => caller.call("ListOrgs", { queries: [{}] });
  await expectError(service.db, "grpc", empty, "INVALID_ARGUMENT", ["queries[0]"]);
});
