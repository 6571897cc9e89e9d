import type { JsonObject } from "@bufbuild/protobuf";
import * as client from "openid-client";
import { createPerson } from "../support/browsers/person.ts";
import { VISITED } from "../support/browsers/visitor.ts";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { createRelyingParty, createRequest, redeem } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const HUMAN = {
  profile: { firstName: "Ada", lastName: "Lovelace" },
  email: { email: "ada@example.com", isEmailVerified: true },
  password: PASSWORD,
};

const messageOf = (outcome: Outcome): JsonObject => {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};

let service: TestService;
let caller: Caller;
let count = 0;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  caller = createCaller("rest", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const actIn =
  (orgId: string) =>
  async (rpc: Rpc, request: JsonObject = {}) =>
    messageOf(await caller.call(rpc, request, { "x-service-orgid": orgId }));

async function newOrg() {
  const orgId = await service.createOrg(`Org ${++count}`);
  const call = actIn(orgId);
  const userName = `ada-${count}`;
  const { userId } = await call("ImportHumanUser", { userName, ...HUMAN });
  return { orgId, call, userName, userId: String(userId) };
}

test("the state is changed, and found", async () => {
  const other = createCaller("grpc", service, service.adminToken);
  const { orgId } = await newOrg();
  const headers = { "x-service-orgid": orgId };
  const call = (rpc: Rpc, request: JsonObject = {}) => other.call(rpc, request, headers);
  const found = async (state: string) => {
    const queries = [{ stateQuery: { state } }, { idQuery: { id: orgId } }];
    return ((messageOf(await call("ListOrgs", { queries })).result ?? []) as JsonObject[]).map(({ id }) => id);
  };
  await expectError(service.db, "grpc", () => call("ReactivateOrg"), "ORG_STATE");
  expect(messageOf(await call("DeactivateOrg"))).toMatchObject({ details: { sequence: "2", resourceOwner: orgId } });
  await expectError(service.db, "grpc", () => call("DeactivateOrg"), "ORG_STATE");
  expect(messageOf(await call("GetMyOrg"))).toMatchObject({ org: { state: "ORG_STATE_INACTIVE" } });
  expect([await found("ORG_STATE_INACTIVE"), await found("ORG_STATE_ACTIVE")]).toEqual([[orgId], []]);
  expect(messageOf(await call("ReactivateOrg"))).toMatchObject({ details: { sequence: "3", resourceOwner: orgId } });
  expect([await found("ORG_STATE_INACTIVE"), await found("ORG_STATE_ACTIVE")]).toEqual([[], [orgId]]);
  expect(messageOf(await call("ListOrgChanges"))).toMatchObject({
    result: [
      { eventType: { key: "org.reactivated" }, editorId: service.adminId },
      { eventType: { key: "org.deactivated" }, editorId: service.adminId },
      {},
    ],
  });
  other.close();
});

test("personal access tokens are not valid, also those of remembered callers, until the reactivation", async () => {
  const { orgId, call, userId } = await newOrg();
  const { token } = await service.createToken({ orgId, role: "ORG_OWNER" });
  const outside = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER", scopeId: orgId });
  const as = (given: string) => (rpc: Rpc, request: JsonObject) =>
    caller.call(rpc, request, { authorization: `Bearer ${given}`, "x-service-orgid": orgId });
  let number = 0;
  // Only the statement of this RPC confirms a remembered caller.
  const rename = (given: string) =>
    as(given)("UpdateHumanProfile", { userId, firstName: `A${++number}`, lastName: "L" });
  expect(await rename(token)).toMatchObject({ ok: true });
  expect(await rename(token)).toMatchObject({ ok: true });
  await call("DeactivateOrg");
  await expectError(service.db, "rest", () => rename(token), "TOKEN_INVALID");
  await expectError(service.db, "rest", () => as(token)("ListUsers", {}), "TOKEN_INVALID");
  await expectError(service.db, "rest", () => as(token)("ReactivateOrg", {}), "TOKEN_INVALID");
  // A member from another organization can still act in it.
  expect(await rename(outside.token)).toMatchObject({ ok: true });
  messageOf(await as(outside.token)("ReactivateOrg", {}));
  expect(await rename(token)).toMatchObject({ ok: true });
});

test("sessions and tokens of its users do not count, and nobody signs in, until the reactivation", async () => {
  const { orgId, call, userId, userName } = await newOrg();
  const app = await createRelyingParty(service, { owner_id: service.instanceId, api_access: true });
  const jwtApp = await createRelyingParty(service, { owner_id: service.instanceId, access_token_type: "jwt" });
  const scope = `openid offline_access urn:signet:api urn:signet:org:id:${orgId}`;
  const person = createPerson(service);
  const request = createRequest(app, { scope });
  const page = await person.open(request.url);
  const { url } = await person.submit(page, { username: userName, password: PASSWORD });
  const tokens = await redeem(service, app, url, request);
  const jwtRequest = createRequest(jwtApp, { scope: `openid urn:signet:org:id:${orgId}` });
  const jwtTokens = await redeem(service, jwtApp, (await person.open(jwtRequest.url)).url, jwtRequest);

  const ways = {
    userinfo: () => client.fetchUserInfo(app.configuration, tokens.access_token, userId),
    "userinfo with a JSON Web Token": () => client.fetchUserInfo(jwtApp.configuration, jwtTokens.access_token, userId),
    introspection: async () => {
      const { active } = await client.tokenIntrospection(app.configuration, tokens.access_token);
      if (!active) throw new Error("the token is not active");
    },
    "introspection with a JSON Web Token": async () => {
      const { active } = await client.tokenIntrospection(jwtApp.configuration, jwtTokens.access_token);
      if (!active) throw new Error("the token is not active");
    },
    "a call": async () => {
      messageOf(await caller.call("GetMyUser", {}, { authorization: `Bearer ${tokens.access_token}` }));
    },
    "the account page": async () => {
      const { text } = await person.open(`${service.config.publicUrl}/ui/account`);
      if (!text.includes("Ada Lovelace")) throw new Error("no account");
    },
  };
  const working = async () => {
    const names = [];
    for (const [name, use] of Object.entries(ways)) {
      const works = await use().then(
        () => true,
        () => false,
      );
      if (works) names.push(name);
    }
    return names;
  };
  expect(await working()).toEqual(Object.keys(ways));
  // A browser that does not come back in the meantime.
  const silent = createPerson(service);
  const silentPage = await silent.open(createRequest(app, { scope }).url);

  await call("DeactivateOrg");
  expect(await working()).toEqual([]);
  const stranger = createPerson(service);
  const refused = await stranger.open(createRequest(app, { scope }).url);
  expect(refused.text).not.toContain('name="password"');
  // A sign-in that began earlier does not complete.
  const late = await silent.submit(silentPage, { username: userName, password: PASSWORD });
  expect(late.url.searchParams.get("code")).toBeNull();
  const refreshed = client.refreshTokenGrant(app.configuration, String(tokens.refresh_token));
  await expect(refreshed).rejects.toMatchObject({ error: "invalid_grant" });

  await call("ReactivateOrg");
  const left = await working();
  expect(left).toEqual(expect.arrayContaining(["userinfo", "userinfo with a JSON Web Token", "a call"]));
  const again = createRequest(app, { scope });
  const signedIn = await createPerson(service);
  const form = await signedIn.open(again.url);
  const done = await signedIn.submit(form, { username: userName, password: PASSWORD });
  expect((await redeem(service, app, done.url, again)).access_token).toEqual(expect.any(String));
});

test("its applications are unknown until the reactivation", async () => {
  const { orgId, call, userName } = await newOrg();
  const app = await createRelyingParty(service, { owner_id: orgId });
  const open = async () => await createPerson(service).open(createRequest(app).url);
  expect((await open()).text).toContain('name="password"');
  await call("DeactivateOrg");
  expect((await open()).text).not.toContain('name="password"');
  await expect(client.tokenIntrospection(app.configuration, "x".repeat(43))).rejects.toMatchObject({
    status: 401,
  });
  await call("ReactivateOrg");
  const person = createPerson(service);
  const request = createRequest(app);
  const page = await person.open(request.url);
  const { url } = await person.submit(page, { username: userName, password: PASSWORD });
  expect((await redeem(service, app, url, request)).access_token).toEqual(expect.any(String));
});

test("the default organization, and one with all owners of the instance, stay active", async () => {
  await expectError(service.db, "rest", () => caller.call("DeactivateOrg", {}), "ORG_PROTECTED");
  const { orgId, call } = await newOrg();
  const owner = await service.createToken({ orgId, role: "INSTANCE_OWNER" });
  const setAdmin = (state: "active" | "inactive") =>
    service.db.updateTable("users").set({ state }).where("id", "=", service.adminId).execute();
  await setAdmin("inactive");
  const deactivate = () =>
    caller.call("DeactivateOrg", {}, { authorization: `Bearer ${owner.token}`, "x-service-orgid": orgId });
  await expectError(service.db, "rest", deactivate, "LAST_OWNER");
  await setAdmin("active");
  messageOf(await deactivate());
  await call("ReactivateOrg");
});

test("only an owner of the instance deactivates an organization whose user has a role outside of it", async () => {
  const { orgId, call } = await newOrg();
  const owner = await service.createToken({ orgId, role: "ORG_OWNER" });
  const manager = await service.createToken({ orgId, role: "INSTANCE_USER_MANAGER" });
  const as = (token: string, rpc: Rpc, request: JsonObject = {}) =>
    caller.call(rpc, request, { authorization: `Bearer ${token}`, "x-service-orgid": orgId });
  // The owner cannot deactivate the user either.
  const deactivateUser = () => as(owner.token, "DeactivateUser", { id: manager.userId });
  await expectError(service.db, "rest", deactivateUser, "PERMISSION_DENIED");
  await expectError(service.db, "rest", () => as(owner.token, "DeactivateOrg"), "PERMISSION_DENIED");
  expect(await as(manager.token, "GetMyOrg")).toMatchObject({ ok: true });
  await call("DeactivateOrg");
  await call("ReactivateOrg");
  await service.db.deleteFrom("members").where("user_id", "=", manager.userId).execute();
  messageOf(await as(owner.token, "DeactivateOrg"));
});

test("of two organizations with all owners of the instance, one stays active if both are deactivated at once", async () => {
  const [first, second] = [await newOrg(), await newOrg()];
  const owner = await service.createToken({ orgId: second.orgId, role: "INSTANCE_OWNER" });
  await service.createToken({ orgId: first.orgId, role: "INSTANCE_OWNER" });
  const setOthers = (state: "active" | "inactive") =>
    service.db
      .updateTable("users")
      .set({ state })
      .where("id", "in", (query) => query.selectFrom("members").select("user_id").where("role", "=", "INSTANCE_OWNER"))
      .where("org_id", "not in", [first.orgId, second.orgId])
      .execute();
  await setOthers("inactive");
  const headers = { authorization: `Bearer ${owner.token}`, "x-service-orgid": second.orgId };
  let other: Promise<Outcome> | undefined;
  await service.db.transaction().execute(async (transaction) => {
    await transaction.updateTable("orgs").set({ state: "inactive" }).where("id", "=", first.orgId).execute();
    // Its snapshot still contains the first organization as active; it waits for this transaction.
    other = caller.call("DeactivateOrg", {}, headers);
    await Promise.race([other, untilBlocked(service.db)]);
  });
  await expectError(service.db, "rest", async () => (await other) as Outcome, "LAST_OWNER");
  const states = await service.db
    .selectFrom("orgs")
    .select("state")
    .where("id", "in", [first.orgId, second.orgId])
    .execute();
  expect(states.filter(({ state }) => state === "active")).toHaveLength(1);
  await setOthers("active");
});
