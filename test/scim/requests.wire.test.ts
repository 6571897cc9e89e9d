import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { ROLES } from "../../src/roles.ts";
import { createScimRequestLog } from "../../src/scim/requests/request-log.ts";
import { PROVIDERS } from "../idps/provider-requests.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { createDirectory, type Directory } from "../support/scim/directory.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
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

async function requestsOf({ connectionId }: Directory, search: JsonObject = {}): Promise<JsonObject[]> {
  return ((await call("ListScimRequests", { id: connectionId, ...search })).result ?? []) as JsonObject[];
}

/** Status, outcome and user of the requests, in the order in which they were sent. */
async function outcomesOf(directory: Directory, search: JsonObject = {}): Promise<unknown[]> {
  const requests = await requestsOf(directory, search);
  return requests.reverse().map(({ status, outcome, userId = "" }) => [status, outcome, userId]);
}

const set = (path: string, value: unknown) => ({ Operations: [{ op: "replace", path, value }] }) as JsonObject;

let count = 0;
const newName = () => `lovelace${++count}@acme.example`;

async function createUser({ send }: Directory, given: JsonObject = {}): Promise<string> {
  const { status, body } = await send("POST", "/Users", { userName: newName(), ...given });
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body.id);
}

test("the log has the requests with their outcomes, and nothing about a person", async () => {
  const directory = await createDirectory(service, service.orgId, { addressRule: 2 });
  const { send } = directory;
  const id = await createUser(directory, { userName: "lovelace@acme.example" });
  const path = `/Users/${id}`;
  await send("PATCH", path, set("title", "Countess of Lovelace"));
  await send("PATCH", path, set("title", "Countess of Lovelace"));
  await send("PATCH", path, set("active", "False"));
  await send("GET", `/Users?filter=${encodeURIComponent('userName eq "lovelace@acme.example"')}&count=1`);
  await send("GET", path);
  await send("POST", "/Users", { userName: "LOVELACE@acme.example" });
  const unknown = randomUUID();
  await send("GET", `/Users/${unknown}`);
  await send("PATCH", path, set("title", "Lady"), { "if-match": 'W/"1"' });
  await send("PUT", path, "{lovelace");
  await send("GET", `/Users?filter=${encodeURIComponent("userName eq lovelace")}`);
  await send("PATCH", path, set('emails[value eq "lovelace"', "a"));
  await send("DELETE", path);
  const failures = [
    [409, "USER_NAME_TAKEN", ""],
    [404, "USER_NOT_FOUND", unknown],
    [412, "refused", id],
    [400, "invalidSyntax", id],
    [400, "invalidFilter", ""],
    [400, "invalidPath", id],
  ];
  expect(await outcomesOf(directory)).toEqual([
    [201, "added", id],
    [200, "changed", id],
    [200, "unchanged", id],
    [200, "deactivated", id],
    [200, "found 1", ""],
    [200, "found", id],
    ...failures,
    [204, "removed", id],
  ]);
  expect(await outcomesOf(directory, { failedOnly: true })).toEqual(failures);

  const requests = await requestsOf(directory);
  expect(requests[0]).toEqual({
    ...{ id: "13", creationDate: expect.any(String), method: "DELETE", path, status: 204, outcome: "removed" },
    ...{ userId: id, sender: "node" },
  });
  expect(requests[8]).toMatchObject({ method: "GET", path: "/Users?filter=userName eq&count=1" });
  expect(requests[1]).toMatchObject({ detail: "path: is no path of an attribute" });
  const rows = await service.db.selectFrom("scim_requests").selectAll().execute();
  const stored = JSON.stringify(rows, (_name, value) => (typeof value === "bigint" ? String(value) : value));
  for (const secret of ["lovelace", "countess", directory.token]) expect(stored.toLowerCase()).not.toContain(secret);
  const { result } = await call("ListScimRequests", { id: directory.connectionId, query: { limit: 2, offset: "1" } });
  expect(result).toEqual(requests.slice(1, 3));
});

test("the log has each operation of a bulk request", async () => {
  const directory = await createDirectory(service, service.orgId, { addressRule: 2 });
  const Operations = [
    { method: "post", path: "/Users", bulkId: "a", data: { userName: newName() } },
    { method: "PATCH", path: "/Users/bulkId:a", data: set("title", "Countess") },
    { method: "PATCH", path: "/Users/lovelace", data: set("title", "Countess") },
    { method: "lovelace", path: 7, data: {} },
  ];
  const { body } = await directory.send("POST", "/Bulk", { Operations });
  expect(body.Operations).toMatchObject([{ status: "201" }, { status: "200" }, { status: "404" }, { status: "400" }]);
  const requests = (await requestsOf(directory)).reverse();
  const userId = String(requests[0]?.userId);
  expect(requests).toMatchObject([
    { method: "POST", path: "/Users", status: 201, outcome: "added" },
    { method: "PATCH", path: `/Users/${userId}`, status: 200, outcome: "changed", userId },
    { method: "PATCH", path: "/Users/…", status: 404, outcome: "USER_NOT_FOUND" },
    { method: "LOVELACE", path: "/…", status: 400, outcome: "invalidValue" },
  ]);
});

test("the log has the newest 1,000 requests of a connection, and ends with it", async () => {
  const { connectionId } = await createDirectory(service, service.orgId);
  const connection = { id: connectionId, orgId: service.orgId };
  const log = createScimRequestLog();
  const request = { at: new Date(), method: "GET", path: "/Users", status: 200, detail: "", userId: null, sender: "" };
  const stored = () =>
    service.db.selectFrom("scim_requests").select(["position"]).where("connection_id", "=", connectionId).execute();
  for (const [first, last] of [
    [1, 600],
    [601, 1_500],
    [1_501, 3_600],
  ] as const) {
    for (let number = first; number <= last; number++)
      log.add(connection, [{ ...request, outcome: `found ${number}` }]);
    await log.store(service.db);
  }
  expect(await stored()).toHaveLength(1_000);
  const query = { limit: 1_000, asc: true };
  const { result = [] } = await call("ListScimRequests", { id: connectionId, query });
  const outcomes = (result as JsonObject[]).map(({ outcome }) => outcome);
  expect([outcomes[0], outcomes.at(-1)]).toEqual(["found 2601", "found 3600"]);
  await call("RemoveScimConnection", { id: connectionId });
  log.add(connection, [{ ...request, outcome: "found 1" }]);
  await log.store(service.db);
  expect(await stored()).toEqual([]);
});

test("requests that could not be stored are stored later", async () => {
  const directory = await createDirectory(service, service.orgId);
  const log = createScimRequestLog();
  const request = { at: new Date(), method: "GET", path: "/Users", status: 200, detail: "", userId: null, sender: "" };
  const add = (outcome: string) =>
    log.add({ id: directory.connectionId, orgId: service.orgId }, [{ ...request, outcome }]);
  add("found 1");
  const failing = { ...service.db, enter: () => Promise.reject(new Error("no connection")) };
  await expect(log.store(failing as unknown as typeof service.db)).rejects.toThrow();
  add("found 2");
  await log.store(service.db);
  expect(await outcomesOf(directory)).toEqual([
    [200, "found 1", ""],
    [200, "found 2", ""],
  ]);
});

test("who reads the log waits for what another reader is storing", async () => {
  const directory = await createDirectory(service, service.orgId);
  const log = createScimRequestLog();
  const request = { at: new Date(), method: "GET", path: "/Users", status: 200, detail: "", userId: null, sender: "" };
  log.add({ id: directory.connectionId, orgId: service.orgId }, [{ ...request, outcome: "found 1" }]);
  const done: string[] = [];
  const store = async (reader: string) => {
    await log.store(service.db);
    done.push(reader);
  };
  await Promise.all([store("first"), store("second")]);
  expect(done).toEqual(["first", "second"]);
});

test("the log belongs to the organization, and to roles that may read users too", async () => {
  const other = await service.createOrg("Other");
  const { connectionId } = await createDirectory(service, other);
  const list = (id: string) => () => caller.call("ListScimRequests", { id });
  await expectError(service.db, "grpc", list(connectionId), "SCIM_CONNECTION_NOT_FOUND");
  await expectError(service.db, "grpc", list("okta"), "SCIM_CONNECTION_NOT_FOUND");
  for (const { permissions } of Object.values(ROLES) as { permissions: readonly string[] }[]) {
    if (permissions.includes("org.scim.read")) expect(permissions).toContain("user.read");
  }
});

test("a trial changes nothing, and its log says what would have happened", async () => {
  const idpId = String((await call("AddGitHubProvider", PROVIDERS.GitHub)).id);
  const groupAppId = (await createTestApp(service, service.orgId, { roles: ["editor"] })).appId;
  const settings = { idpId, groupAppId, linkAttribute: 3, linkPath: "nickName" };
  const directory = await createDirectory(service, service.orgId, settings);
  const trial = await createDirectory(service, service.orgId, { ...settings, isTrial: true });
  const [userName, title] = [newName(), "Countess"];
  const id = await createUser(directory, { userName, title, nickName: "ada" });
  const member = await createUser(directory);
  await call("AddOrgMember", { userId: member, roles: ["ORG_VIEWER"] });
  const groups = await directory.send("GET", "/Groups?excludedAttributes=members");
  const group = `/Groups/${String((groups.body.Resources as JsonObject[])[0]?.id)}`;
  const contents = async () => ({
    users: await service.db.selectFrom("users").selectAll().orderBy("id").execute(),
    events: await service.db.selectFrom("events").select(["aggregate_id", "sequence"]).orderBy("position").execute(),
    messages: await service.db.selectFrom("messages").select("id").orderBy("id").execute(),
    roles: await service.db.selectFrom("user_app_roles").selectAll().execute(),
  });
  const before = await contents();
  const path = `/Users/${id}`;
  for (const [method, at, body] of [
    ["POST", "/Users", { userName: newName(), name: { familyName: "Lovelace" } }],
    ["PATCH", path, set("title", "Lady")],
    ["PUT", path, { userName, title, nickName: "ada" }],
    ["PATCH", path, set("active", false)],
    ["DELETE", path, undefined],
    ["POST", "/Users", { userName }],
    ["POST", "/Users", { userName: newName(), nickName: "ada" }],
    ["PATCH", `/Users/${member}`, set("title", "Lady")],
    ["PATCH", `/Users/${randomUUID()}`, set("title", "Lady")],
    ["POST", "/Groups", { displayName: "Sales Team", members: [{ value: id }] }],
    ["PATCH", group, { Operations: [{ op: "add", path: "members", value: [{ value: id }] }] }],
    ["DELETE", group, undefined],
    ["POST", "/Bulk", { Operations: [{ method: "POST", path: "/Users", data: { userName: newName() } }] }],
  ] as const) {
    const { status, headers, body: answer } = await trial.send(method, at, body);
    expect({ method, at, status, retryAfter: headers.get("retry-after"), answer }).toEqual({
      ...{ method, at, status: 503, retryAfter: "300" },
      answer: {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: "503",
        detail: "the connection is in a trial, which changes nothing: send it again later",
      },
    });
  }
  expect(await contents()).toEqual(before);
  const found = await trial.send("POST", "/Users/.search", { filter: `userName eq "${userName}"` });
  expect([found.status, found.body.totalResults]).toEqual([200, 1]);
  const refused = [
    [409, "USER_NAME_TAKEN", ""],
    [409, "IDP_LINK_TAKEN", ""],
    [403, "PERMISSION_DENIED", member],
    [404, "USER_NOT_FOUND", expect.any(String)],
  ];
  expect(await outcomesOf(trial)).toEqual([
    [201, "would add", expect.any(String)],
    [200, "would change", id],
    [200, "would leave unchanged", id],
    [200, "would deactivate", id],
    [204, "would remove", id],
    ...refused,
    [201, "would add", ""],
    [204, "would change", ""],
    [204, "would remove", ""],
    [201, "would add", expect.any(String)],
    [200, "found 1", ""],
  ]);
  expect(await outcomesOf(trial, { failedOnly: true })).toEqual(refused);

  await call("UpdateScimConnection", { id: trial.connectionId, name: "Directory" });
  await createUser(trial);
});
