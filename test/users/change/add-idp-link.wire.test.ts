import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { grantRole } from "../../../src/access/grant-role.ts";
import type { Role } from "../../../src/roles.ts";
import { importAda, VERIFIED } from "../../support/browsers/visitor.ts";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { CLIENT_SECRET, IDP } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

let service: TestService;
let owner: Caller;
let idpId: string;
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(CLIENT_SECRET);
  owner = createCaller("grpc", service, service.adminToken);
  idpId = String((await send("AddOIDCIDP", IDP)).idpId);
});
afterAll(async () => {
  owner?.close();
  await service?.close();
});

async function send(rpc: Rpc, request: JsonObject, headers = {}): Promise<JsonObject> {
  const outcome = await owner.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.message}`);
  return outcome.message;
}

/** The names of the users that the organization finds by a link. */
async function find(idpLinkQuery: JsonObject, more: JsonObject[] = []): Promise<unknown[]> {
  const { result = [] } = await send("ListUsers", { queries: [{ idpLinkQuery }, ...more] });
  return (result as JsonObject[]).map(({ id }) => id);
}

const link = (userId: string, externalUserId: string, id = idpId) => ({ userId, idpId: id, externalUserId });

test("a linked user is found by the link, in its exact form only", async () => {
  const userId = await importAda(service, VERIFIED);
  await send("AddHumanLinkedIDP", { ...link(userId, "Ada's id %"), displayName: "Ada" });
  const { result } = await send("ListHumanLinkedIDPs", { userId });
  expect(result).toEqual([expect.objectContaining({ idpId, providedUserId: "Ada's id %", providedUserName: "Ada" })]);
  expect(await find({ idpId, externalUserId: "Ada's id %" })).toEqual([userId]);
  expect(await find({ idpId: idpId.toUpperCase(), externalUserId: "Ada's id %" })).toEqual([userId]);
  for (const externalUserId of ["ada's id %", "Ada's id", "%"])
    expect(await find({ idpId, externalUserId })).toEqual([]);
  for (const other of [randomUUID(), "corp"]) {
    expect(await find({ idpId: other, externalUserId: "Ada's id %" })).toEqual([]);
  }
  const not = { notQuery: { query: { idpLinkQuery: { idpId, externalUserId: "Ada's id %" } } } };
  expect(await find({ idpId, externalUserId: "Ada's id %" }, [not])).toEqual([]);
  const otherOrg = { "x-service-orgid": await service.createOrg(`Other ${randomUUID()}`) };
  const search = { queries: [{ idpLinkQuery: { idpId, externalUserId: "Ada's id %" } }] };
  expect((await send("ListUsers", search, otherOrg)).result ?? []).toEqual([]);
});

test("a search needs both fields, and a link is added", async () => {
  const userId = await importAda(service, VERIFIED);
  const caller = createCaller("grpc", service, service.adminToken);
  const request = { ...link(userId, "over"), displayName: "Ada" };
  expect(await caller.call("AddHumanLinkedIDP", request)).toMatchObject({ ok: true });
  const search = (idpLinkQuery: JsonObject) => caller.call("ListUsers", { queries: [{ idpLinkQuery }] });
  expect(await search({ idpId, externalUserId: "over" })).toMatchObject({
    message: { result: [{ id: userId }] },
  });
  const path = "queries[0].idpLinkQuery";
  await expectError(service.db, "grpc", () => search({}), "INVALID_ARGUMENT", [
    `${path}.externalUserId`,
    `${path}.idpId`,
  ]);
  caller.close();
});

test("the error for a taken link names the field, and not whose it is", async () => {
  const holder = await importAda(service, VERIFIED);
  await send("AddHumanLinkedIDP", { ...link(holder, "taken"), displayName: "Holder" });
  const userId = await importAda(service, VERIFIED);
  const outcome = await owner.call("AddHumanLinkedIDP", link(userId, "taken"));
  expect(outcome).toMatchObject({
    ok: false,
    reason: "IDP_LINK_TAKEN",
    message: "externalUserId: the external user is already linked in the organization",
    metadata: { field: "externalUserId" },
  });
  expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`${holder}|Holder`));
  expect(await find({ idpId, externalUserId: "taken" })).toEqual([holder]);
});

test("of two users who are linked at once, only one gets the link", async () => {
  for (let round = 0; round < 5; round++) {
    const users = [await importAda(service, VERIFIED), await importAda(service, VERIFIED)];
    const outcomes = await Promise.all(
      users.map((userId) => owner.call("AddHumanLinkedIDP", link(userId, `race ${round}`))),
    );
    expect(outcomes.map((each) => (each.ok ? "linked" : each.reason)).sort()).toEqual(["IDP_LINK_TAKEN", "linked"]);
    const linked = users.filter((_user, number) => outcomes[number]?.ok);
    expect(await find({ idpId, externalUserId: `race ${round}` })).toEqual(linked);
  }
});

test("a provider that is removed at the same time leaves no link", async () => {
  for (let round = 0; round < 5; round++) {
    const { idpId: removed = "" } = await send("AddOrgOIDCIDP", IDP);
    const userId = await importAda(service, VERIFIED);
    const [added] = await Promise.all([
      owner.call("AddHumanLinkedIDP", link(userId, "race", String(removed))),
      send("RemoveOrgIDP", { idpId: removed }),
    ]);
    if (!added.ok) expect(added).toMatchObject({ reason: "IDP_NOT_FOUND", metadata: { field: "idpId" } });
    const links = await service.db.selectFrom("user_idp_links").where("user_id", "=", userId).selectAll().execute();
    expect(links).toEqual([]);
  }
});

test("the provider of the organization is accepted, and that of another one is unknown", async () => {
  const userId = await importAda(service, VERIFIED);
  const own = String((await send("AddOrgOIDCIDP", IDP)).idpId);
  await send("AddHumanLinkedIDP", link(userId, "own", own));
  const otherOrg = { "x-service-orgid": await service.createOrg(`Other ${randomUUID()}`) };
  const foreign = String((await send("AddOrgOIDCIDP", IDP, otherOrg)).idpId);
  const outcome = await owner.call("AddHumanLinkedIDP", link(userId, "foreign", foreign));
  expect(outcome).toMatchObject({ ok: false, reason: "IDP_NOT_FOUND", metadata: { field: "idpId", idpId: foreign } });
});

describe("a caller cannot become a user with a greater role by a link:", () => {
  test.each([
    ["ORG_USER_MANAGER", "ORG_OWNER"],
    ["ORG_USER_MANAGER", "INSTANCE_OWNER"],
    ["ORG_OWNER", "INSTANCE_OWNER"],
  ] as const)("%s, %s", async (role: Role, of: Role) => {
    const { token, userId: callerId } = await service.createToken({ orgId: service.orgId, role });
    const caller = createCaller("rest", service, token);
    const id = await importAda(service, VERIFIED);
    const scopeId = of === "INSTANCE_OWNER" ? service.instanceId : service.orgId;
    await grantRole(
      { db: service.db, clock: service.clock },
      { user: { id, orgId: service.orgId }, role: of, scopeId },
    );
    const externalUserId = `of ${callerId}`;
    await expectError(
      service.db,
      "rest",
      () => caller.call("AddHumanLinkedIDP", link(id, externalUserId)),
      "PERMISSION_DENIED",
    );
    expect(await find({ idpId, externalUserId })).toEqual([]);
    const other = await importAda(service, VERIFIED);
    expect(await caller.call("AddHumanLinkedIDP", link(other, externalUserId))).toMatchObject({ ok: true });
    caller.close();
  });
});
