import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { HUMAN } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let caller: Caller;
let humanId: string;
let userId: string;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
  const outcome = await caller.call("ImportHumanUser", { userName: "ada", ...HUMAN });
  humanId = String(outcome.ok && outcome.message.userId);
  const request = { userName: "billing", name: " Billing ", description: " Writes invoices " };
  userId = String((await send("AddMachineUser", request)).userId);
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

async function addToken(request: JsonObject = {}): Promise<{ tokenId: string; token: string }> {
  const { tokenId, token } = await send("AddPersonalAccessToken", { userId, ...request });
  return { tokenId: String(tokenId), token: String(token) };
}

async function tokenIds(): Promise<unknown[]> {
  const { result = [] } = await send("ListPersonalAccessTokens", { userId, query: { asc: true } });
  return (result as JsonObject[]).map(({ id }) => id);
}

test("AddMachineUser adds a user with a name and a description, and UpdateMachine replaces them", async () => {
  const read = async () => ((await send("GetUserByID", { id: userId })).user as JsonObject).machine;
  expect(await read()).toEqual({ name: "Billing", description: "Writes invoices" });
  await send("UpdateMachine", { userId, name: "Invoices" });
  expect(await read()).toEqual({ name: "Invoices" });
  const { details } = await send("UpdateMachine", { userId, name: "Invoices" });
  expect(details).toMatchObject({ sequence: "2" });
  const { result } = await send("ListUserChanges", { userId });
  expect((result as JsonObject[]).map(({ eventType }) => (eventType as JsonObject).key)).toEqual([
    "user.machine.changed",
    "user.machine.added",
  ]);
});

test("a user name must be unique, and each field must follow its rules", async () => {
  const taken = () => caller.call("AddMachineUser", { userName: "BILLING", name: "Other" });
  await expectError(service.db, "grpc", taken, "USER_NAME_TAKEN");
  const bad = () => caller.call("AddMachineUser", { userName: " ", name: "a\u200bb", description: "a\u0007" });
  await expectError(service.db, "grpc", bad, "INVALID_ARGUMENT", ["description", "name", "userName"]);
  const long = () => caller.call("UpdateMachine", { userId, name: "", description: "d".repeat(501) });
  await expectError(service.db, "grpc", long, "INVALID_ARGUMENT", ["description", "name"]);
  const human = () => caller.call("UpdateMachine", { userId: humanId, name: "Ada" });
  await expectError(service.db, "grpc", human, "USER_NOT_FOUND");
});

test("a token works from its creation until it is removed", async () => {
  const { tokenId, token } = await addToken();
  const headers = { authorization: `Bearer ${token}` };
  await send("AddOrgMember", { userId, roles: ["ORG_VIEWER"] });
  expect(await send("GetMyOrg", {}, headers)).toMatchObject({ org: { id: service.orgId } });
  expect(await tokenIds()).toEqual([tokenId]);
  await send("RemovePersonalAccessToken", { userId, tokenId: tokenId.toUpperCase() });
  await expectError(service.db, "grpc", () => caller.call("GetMyOrg", {}, headers), "TOKEN_INVALID");
  expect(await tokenIds()).toEqual([]);
  const again = () => caller.call("RemovePersonalAccessToken", { userId, tokenId });
  await expectError(service.db, "grpc", again, "TOKEN_NOT_FOUND");
  await send("RemoveOrgMember", { userId });
});

test("a token has its date of expiration, its last characters, and the hour of its last use", async () => {
  const { tokenId, token } = await addToken({ expirationDate: "2099-01-01T00:00:00Z" });
  const read = async () => (await send("GetPersonalAccessTokenByIDs", { userId, tokenId })).token as JsonObject;
  const unused = await read();
  expect(unused).toMatchObject({
    id: tokenId,
    expirationDate: "2099-01-01T00:00:00Z",
    lastFour: token.slice(-4),
    details: { resourceOwner: service.orgId },
  });
  expect(unused).not.toHaveProperty("lastUsed");
  const call = () => caller.call("GetMyOrg", {}, { authorization: `Bearer ${token}` });
  await expectError(service.db, "grpc", call, "PERMISSION_DENIED");
  const before = new Date();
  await service.tokenUses.store(service.db);
  const { lastUsed } = await read();
  expect(String(lastUsed)).toMatch(/:00:00Z$/);
  expect(Math.abs(Date.parse(String(lastUsed)) - before.getTime())).toBeLessThanOrEqual(2 * 3_600_000);
  await send("RemovePersonalAccessToken", { userId, tokenId });
});

test("the tokens of a user are listed page by page, without those that have expired", async () => {
  const { tokenId: expiring } = await addToken({
    expirationDate: new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000).toISOString(),
  });
  const added = [await addToken(), await addToken()].map(({ tokenId }) => tokenId);
  const first = await send("ListPersonalAccessTokens", { userId, query: { asc: true, limit: 2 } });
  const { nextPageToken } = first.details as { nextPageToken: string };
  const query = { asc: true, limit: 2, pageToken: nextPageToken };
  const second = await send("ListPersonalAccessTokens", { userId, query });
  const ids = [first, second].flatMap(({ result }) => (result as JsonObject[]).map(({ id }) => id));
  expect(ids).toEqual([expiring, ...added]);
  service.clockOffsetMs = 3_602_000;
  try {
    expect(await tokenIds()).toEqual(added);
    const call = () => caller.call("GetPersonalAccessTokenByIDs", { userId, tokenId: expiring });
    await expectError(service.db, "grpc", call, "TOKEN_NOT_FOUND");
  } finally {
    service.clockOffsetMs = 0;
  }
});

test("a token needs a machine user of the organization, and a date in the future", async () => {
  for (const id of [humanId, randomUUID(), "ada"]) {
    const calls: [Rpc, JsonObject][] = [
      ["AddPersonalAccessToken", { userId: id }],
      ["ListPersonalAccessTokens", { userId: id }],
      ["GetPersonalAccessTokenByIDs", { userId: id, tokenId: randomUUID() }],
      ["RemovePersonalAccessToken", { userId: id, tokenId: randomUUID() }],
    ];
    for (const [rpc, request] of calls) {
      await expectError(service.db, "grpc", () => caller.call(rpc, request), "USER_NOT_FOUND");
    }
  }
  const past = () => caller.call("AddPersonalAccessToken", { userId, expirationDate: "2020-01-01T00:00:00Z" });
  await expectError(service.db, "grpc", past, "INVALID_ARGUMENT", ["expirationDate"]);
});

test("over REST, a date must be one of RFC 3339", async () => {
  const rest = createCaller("rest", service, service.adminToken);
  for (const expirationDate of ["tomorrow", "2099-02-30T00:00:00Z", "2099-01-01", 1, "9".repeat(1_000_000)]) {
    const bad = () => rest.call("AddPersonalAccessToken", { userId, expirationDate });
    await expectError(service.db, "rest", bad, "INVALID_ARGUMENT", ["expirationDate"]);
  }
  rest.close();
});

test("a caller cannot get a token of a user with more rights", async () => {
  const owner = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
  const viewer = await service.createToken({ orgId: service.orgId, role: "INSTANCE_VIEWER" });
  const manager = await service.createToken({ orgId: service.orgId, role: "ORG_USER_MANAGER" });
  const add = (id: string, token: string) => () =>
    caller.call("AddPersonalAccessToken", { userId: id }, { authorization: `Bearer ${token}` });
  await expectError(service.db, "grpc", add(owner.userId, manager.token), "PERMISSION_DENIED");
  // Not even of a user with the same role: it could act in another's name.
  await expectError(service.db, "grpc", add(manager.userId, manager.token), "PERMISSION_DENIED");
  await expectError(service.db, "grpc", add(viewer.userId, owner.token), "PERMISSION_DENIED");
  expect(await add(userId, manager.token)()).toMatchObject({ ok: true });
  expect(await add(manager.userId, owner.token)()).toMatchObject({ ok: true });
});
