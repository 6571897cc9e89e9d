import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { createDirectory, type Directory } from "../support/scim/directory.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

let service: TestService;
let caller: Caller;
let directory: Directory;
/** An application with the roles `editor` and `viewer`, and that of the connection. */
let shop: string;
let own: string;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
  shop = (await createTestApp(service, service.orgId, { roles: ["editor", "viewer"] })).appId;
  own = (await createTestApp(service, service.orgId)).appId;
  directory = await createDirectory(service, service.orgId, { addressRule: 2, groupAppId: own });
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function call(rpc: Rpc, request: JsonObject): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

let count = 0;
const createUser = async () => String((await directory.send("POST", "/Users", { userName: `user${++count}` })).body.id);

async function find(filter: string): Promise<JsonObject[]> {
  const { status, body } = await directory.send("GET", `/Groups?filter=${encodeURIComponent(filter)}`);
  expect([filter, status]).toEqual([filter, 200]);
  return body.Resources as JsonObject[];
}

const idOf = async (displayName: string) => String((await find(`displayName eq "${displayName}"`))[0]?.id);

const patch = (id: string, ...Operations: JsonObject[]) =>
  directory.send("PATCH", `/Groups/${id}`, { schemas: [PATCH], Operations });

async function membersOf(id: string): Promise<unknown[]> {
  const { body } = await directory.send("GET", `/Groups/${id}`);
  return ((body.members ?? []) as JsonObject[]).map(({ value }) => value).sort();
}

async function rolesOf(userId: string, appId: string): Promise<unknown[]> {
  const queries = [{ userIdQuery: { userId } }, { appIdQuery: { appId } }];
  const { result = [] } = await call("ListUserAppRoles", { queries });
  return (result as JsonObject[]).map(({ role }) => role);
}

test("the roles of applications are groups, whose members are given and taken", async () => {
  const { body } = await directory.send("GET", "/Groups");
  expect((body.Resources as JsonObject[]).map(({ displayName }) => displayName)).toEqual([
    "Shop / editor",
    "Shop / viewer",
  ]);
  const id = await idOf("shop / Editor");
  const [ada, grace] = [await createUser(), await createUser()];
  expect(
    (await patch(id, { op: "Add", path: "members", value: [{ $ref: null, value: ada }, { value: grace }] })).status,
  ).toBe(204);
  expect(await membersOf(id)).toEqual([ada, grace].sort());
  expect(await rolesOf(ada, shop)).toEqual(["editor"]);
  expect((await directory.send("GET", `/Users/${ada}`)).body.groups).toEqual([{ value: id, display: "Shop / editor" }]);
  expect((await find(`id eq "${id}" and members eq "${ada}"`)).length).toBe(1);
  expect(await find(`members.value eq "${randomUUID()}"`)).toEqual([]);
  await patch(id, { op: "Remove", path: "members", value: [{ value: ada }] });
  expect(await membersOf(id)).toEqual([grace]);
  await patch(id, { op: "remove", path: `members[value eq "${grace}"]` });
  expect(await membersOf(id)).toEqual([]);
  const replaced = { displayName: "Shop / editor", members: [{ value: ada }] };
  expect((await directory.send("PUT", `/Groups/${id}`, replaced)).body.members).toMatchObject([{ value: ada }]);
  await patch(id, { op: "replace", value: { id, displayName: "Shop / editor", members: [{ value: grace }] } });
  expect(await membersOf(id)).toEqual([grace]);
  const without = await directory.send("GET", `/Groups/${id}?excludedAttributes=members`);
  expect(without.body).not.toHaveProperty("members");
  await patch(id, { op: "remove", path: "members" });
  expect(await membersOf(id)).toEqual([]);
});

test("a group that the directory adds is a role of the connection's application until it is deleted", async () => {
  const ada = await createUser();
  const given = { displayName: "Sales Team", members: [{ value: ada }] };
  const { status, body } = await directory.send("POST", "/Groups", given);
  expect({ status, body }).toMatchObject({ status: 201, body: { displayName: "Shop / Sales-Team" } });
  expect(await rolesOf(ada, own)).toEqual(["Sales-Team"]);
  expect(await idOf("Sales Team")).toBe(body.id);
  expect(await directory.send("POST", "/Groups", given)).toMatchObject({
    status: 409,
    body: { scimType: "uniqueness" },
  });
  const renamed = await patch(String(body.id), { op: "replace", path: "displayName", value: "Marketing" });
  expect(renamed).toMatchObject({ status: 400, body: { scimType: "mutability" } });
  expect((await directory.send("DELETE", `/Groups/${body.id}`)).status).toBe(204);
  expect(await rolesOf(ada, own)).toEqual([]);
  expect((await directory.send("GET", `/Groups/${body.id}`)).status).toBe(404);
  // Roles that others have defined stay.
  expect((await directory.send("DELETE", `/Groups/${await idOf("Shop / viewer")}`)).status).toBe(403);
  const { send } = await createDirectory(service, service.orgId);
  expect((await send("POST", "/Groups", { displayName: "Sales" })).status).toBe(403);
});

test("only users whom the connection may change become members", async () => {
  const id = await idOf("Shop / viewer");
  const [ada, owner] = [await createUser(), await createUser()];
  await call("AddOrgMember", { userId: owner, roles: ["ORG_OWNER"] });
  const both = [{ value: ada }, { value: owner }];
  expect((await patch(id, { op: "add", path: "members", value: both })).status).toBe(403);
  expect(await membersOf(id)).toEqual([ada]);
  const other = await createDirectory(service, await service.createOrg("Other"));
  const foreign = String((await other.send("POST", "/Users", { userName: "eve" })).body.id);
  const { userId: machine } = await service.createToken({ orgId: service.orgId });
  for (const value of [foreign, machine, "eve"]) {
    const refused = await patch(id, { op: "add", path: "members", value: [{ value }] });
    expect(refused).toMatchObject({ status: 400, body: { scimType: "invalidValue" } });
    expect((await other.send("GET", `/Groups/${id}`)).status).toBe(404);
  }
  expect(await membersOf(id)).toEqual([ada]);
});

test("of an application with API access, the directory gets no roles to add", async () => {
  const { appId } = await createTestApp(service, service.orgId, { apiAccess: true });
  const { send } = await createDirectory(service, service.orgId, { groupAppId: appId });
  expect((await send("POST", "/Groups", { displayName: "Admins" })).status).toBe(403);
});

describe("a bulk request", () => {
  const send = (Operations: JsonObject[], failOnErrors?: number) =>
    directory.send("POST", "/Bulk", { schemas: [], Operations, ...(failOnErrors !== undefined && { failOnErrors }) });
  const post = (bulkId: string, userName: string) => ({ method: "POST", path: "/Users", bulkId, data: { userName } });

  test("runs its operations, which can refer to earlier ones", async () => {
    const id = await idOf("Shop / editor");
    const added = [{ op: "add", path: "members", value: [{ value: "bulkId:one" }] }];
    const { status, body } = await send([
      post("one", "bulk1"),
      post("two", "bulk1"),
      { method: "PATCH", path: `/Groups/${id}`, data: { Operations: added } },
      { method: "DELETE", path: "/Users/bulkId:one", version: 'W/"0"' },
      { method: "GET", path: "/Users" },
      { method: "POST", path: "/Bulk", data: {} },
    ]);
    const results = body.Operations as JsonObject[];
    expect([status, results.map((each) => each.status)]).toEqual([200, ["201", "409", "204", "412", "405", "400"]]);
    expect(results[0]).toMatchObject({
      method: "POST",
      bulkId: "one",
      location: expect.stringContaining("/scim/v2/Users/"),
    });
    expect(results[1]).toMatchObject({ bulkId: "two", response: { scimType: "uniqueness" } });
    expect(await membersOf(id)).toEqual([String(results[0]?.location).split("/").at(-1)]);
  });

  test("creates users that follow each other in shared statements", async () => {
    const posts = Array.from({ length: 50 }, (_, n) => post(`${n}`, `shared${n}`));
    const { body } = await send(posts);
    const results = body.Operations as JsonObject[];
    expect(results.map(({ status, bulkId }) => [status, bulkId])).toEqual(posts.map(({ bulkId }) => ["201", bulkId]));
    const stored = sql<string>`count(distinct xmin::text)::int`;
    const users = service.db.selectFrom("users").where("user_name", "like", "shared%");
    const { statements } = await users.select(stored.as("statements")).executeTakeFirstOrThrow();
    expect(statements).toBeLessThan(25);
  });

  test("stops after the given number of errors, and has at most 50 operations", async () => {
    const unknown = { method: "DELETE", path: `/Users/${randomUUID()}` };
    expect((await send([unknown, unknown, unknown], 2)).body.Operations).toHaveLength(2);
    expect((await send(Array(51).fill(unknown))).status).toBe(413);
    expect((await send([])).status).toBe(400);
  });
});

test("other filters are rejected", async () => {
  for (const filter of ['displayName sw "Shop"', 'externalId eq "1"', "displayName pr"]) {
    const { status, body } = await directory.send("GET", `/Groups?filter=${encodeURIComponent(filter)}`);
    expect([filter, status, body.scimType]).toEqual([filter, 400, "invalidFilter"]);
  }
});

test("machine users are no members, and keep their roles", async () => {
  const id = await idOf("Shop / viewer");
  const { userId } = await service.createToken({ orgId: service.orgId });
  await call("AddUserAppRoles", { userId, appId: shop, roles: ["viewer"] });
  expect(await find(`members eq "${userId}"`)).toEqual([]);
  await patch(id, { op: "remove", path: `members[value eq "${userId}"]` });
  expect(await rolesOf(userId, shop)).toEqual(["viewer"]);
  expect(await patch(id, { op: "add", path: "members", value: [{ value: userId }] })).toMatchObject({ status: 400 });
});
