import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { endPlacedCredentials } from "../../src/access/end-placed-credentials.ts";
import { createRunTogether } from "../../src/database/run-together.ts";
import { createOutbox } from "../../src/messages/outbox.ts";
import type { Role } from "../../src/roles.ts";
import { PROVIDERS } from "../idps/provider-requests.ts";
import { createVisitor, lastReceived, VISITED } from "../support/browsers/visitor.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { BCRYPT, HUMAN, PASSWORD } from "../support/clients/requests.ts";
import { addIdpLink, addPasskey } from "../support/databases/credentials.ts";
import { watchQueries } from "../support/databases/database.ts";
import { ofOperator } from "../support/operations/principal.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let caller: Caller;
let orgId: string;
/** Places credentials. */
let manager: { readonly token: string; readonly userId: string };

beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(BCRYPT);
  service.secret(PASSWORD);
  caller = createCaller("grpc", service, service.adminToken);
  orgId = await service.createOrg("Other");
  manager = await service.createToken({ orgId, role: "ORG_USER_MANAGER" });
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

interface Holder {
  readonly token: string;
}

async function call(rpc: Rpc, request: JsonObject, by?: Holder, headers = {}): Promise<JsonObject> {
  const authorization = by && { authorization: `Bearer ${by.token}` };
  const outcome = await caller.call(rpc, request, { "x-service-orgid": orgId, ...authorization, ...headers });
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

let count = 0;
async function newMachine() {
  count += 1;
  const { userId } = await call("AddMachineUser", { userName: `deploy-${count}`, name: "Deploy" }, manager);
  const { tokenId, token } = await call("AddPersonalAccessToken", { userId: String(userId) }, manager);
  return { userId: String(userId), tokenId: String(tokenId), token: String(token) };
}

async function newHuman(request: JsonObject = {}): Promise<string> {
  count += 1;
  const email = { email: `ada-${count}@example.com`, isEmailVerified: true };
  const human = { userName: `ada-${count}`, ...HUMAN, email, ...request };
  return String((await call("ImportHumanUser", human, manager)).userId);
}

/** Adds an event that the user has caused. */
async function append(userId: string, type: string, payload: JsonObject): Promise<void> {
  await sql`
    with changed as (update users set sequence = sequence + 1 where id = ${userId}::uuid returning org_id, id, sequence)
    insert into events (owner_id, aggregate_id, sequence, type, editor_id, created_at, payload)
    select org_id, id, sequence, ${type}, id, now(), ${JSON.stringify(payload)}::jsonb from changed`.execute(
    service.db,
  );
}

const isAccepted = async (holder: Holder) =>
  (await caller.call("GetMyUser", {}, { authorization: `Bearer ${holder.token}` })).ok;

test("a role shows what others have placed for a person, and ends it, but not what the user has", async () => {
  const { id: idpId } = await call("AddGitHubProvider", PROVIDERS.GitHub);
  const idps = [{ configId: String(idpId), externalUserId: "octocat", displayName: "Octocat" }];
  const userId = await newHuman({ idps });
  await addPasskey(service, { orgId, userId, id: "own" });
  await append(userId, "user.human.passwordless.registered", { passkeyId: "own" });
  await call("AddPasswordlessRegistration", { userId }, manager);
  await addPasskey(service, { orgId, userId, id: "by-link" });
  await append(userId, "user.human.passwordless.registered", { passkeyId: "by-link" });

  const placedBy = manager.userId;
  const expected = [
    { type: "PLACED_CREDENTIAL_TYPE_IDP_LINK", id: String(idpId), name: "octocat", placedBy },
    { type: "PLACED_CREDENTIAL_TYPE_LINK", name: "passkey", placedBy },
    { type: "PLACED_CREDENTIAL_TYPE_PASSKEY", id: "by-link", placedBy },
    { type: "PLACED_CREDENTIAL_TYPE_PASSWORD", placedBy },
  ];
  const byType = ({ placedCredentials }: JsonObject) =>
    [...((placedCredentials ?? []) as { type: string }[])].sort((a, b) => (a.type < b.type ? -1 : 1));
  expect(byType(await call("AddOrgMember", { userId, roles: ["ORG_VIEWER"] }))).toMatchObject(expected);
  const raised = { userId, roles: ["ORG_OWNER"], endCredentials: true };
  expect(byType(await call("UpdateOrgMember", raised))).toMatchObject(expected);
  expect(byType(await call("UpdateOrgMember", raised))).toEqual([]);

  const { db } = service;
  const passkeys = await db.selectFrom("passkeys").select("id").where("user_id", "=", userId).execute();
  expect(passkeys).toEqual([{ id: "own" }]);
  expect(await db.selectFrom("user_idp_links").selectAll().where("user_id", "=", userId).execute()).toEqual([]);
  const user = await db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
  expect(user).toMatchObject({ password_hash: null, password_changed_at: null });
  const open = db.selectFrom("codes").selectAll().where("user_id", "=", userId).where("expires_at", ">", new Date());
  expect(await open.execute()).toEqual([]);
  const ended = await db
    .selectFrom("events")
    .select(["type", "editor_id"])
    .where("aggregate_id", "=", userId)
    .execute();
  for (const type of ["idp.unlinked", "passwordless.removed", "credentials.ended"]) {
    expect(ended).toContainEqual({ type: `user.human.${type}`, editor_id: service.adminId });
  }
});

test("a role in the instance ends the tokens and the service of a machine user of another organization", async () => {
  const machine = await newMachine();
  const services = await service.createToken({ orgId, role: "ORG_OWNER" });
  const app = { name: "Billing", appType: "OIDC_APP_TYPE_SERVICE", serviceUserId: machine.userId };
  const { appId } = await call("AddOIDCApp", app, services);
  const request = { userId: machine.userId, roles: ["INSTANCE_OWNER"], endCredentials: true };
  const headers = { "idempotency-key": "add-deploy" };
  const added = await call("AddIAMMember", request, undefined, headers);
  expect(added.placedCredentials).toMatchObject([
    {
      type: "PLACED_CREDENTIAL_TYPE_TOKEN",
      id: machine.tokenId,
      name: machine.token.slice(-4),
      placedBy: manager.userId,
    },
    { type: "PLACED_CREDENTIAL_TYPE_APP", id: String(appId), name: "Billing", placedBy: services.userId },
  ]);
  expect(await isAccepted(machine)).toBe(false);
  expect(await call("GetAppByID", { appId: String(appId) })).toMatchObject({ app: { state: "APP_STATE_INACTIVE" } });
  // A repeated call gets the same response.
  expect(await call("AddIAMMember", request, undefined, headers)).toEqual(added);
  await call("RemoveIAMMember", { userId: machine.userId });
});

test("a link to a provider that the user has made again, and a replaced link, are not listed", async () => {
  const { id: idpId } = await call("AddGitHubProvider", PROVIDERS.GitHub);
  const userId = await newHuman({ idps: [{ configId: String(idpId), externalUserId: "mona", displayName: "Mona" }] });
  const link = { orgId, userId, idpId: String(idpId), idpOwnerId: orgId, externalUserId: "mona" };
  await call("RemoveHumanLinkedIDP", { userId, idpId: String(idpId), linkedUserId: "mona" }, manager);
  await addIdpLink(service, link);
  await append(userId, "user.human.idp.linked", { idpId: String(idpId), externalUserId: "mona", displayName: "Mona" });
  for (let count = 0; count < 2; count++) await call("AddPasswordlessRegistration", { userId }, manager);
  const { placedCredentials } = await call("AddOrgMember", { userId, roles: ["ORG_VIEWER"] });
  expect((placedCredentials as { type: string }[]).map(({ type }) => type).sort()).toEqual([
    "PLACED_CREDENTIAL_TYPE_LINK",
    "PLACED_CREDENTIAL_TYPE_PASSWORD",
  ]);
});

test("a password that the user sets while the placed one ends is kept", async () => {
  const userId = await newHuman();
  let isListed = false;
  const db = watchQueries(service.db, async ({ sql: text }) => {
    if (isListed || !text.includes("noted")) return;
    isListed = true;
    const changed = { password_hash: "own", password_changed_at: new Date() };
    await service.db.updateTable("users").set(changed).where("id", "=", userId).execute();
  });
  const { keyring, clock } = service;
  const outbox = createOutbox({
    keyring,
    publicUrl: "http://localhost",
    sendsEmail: false,
    sendsSms: false,
    onQueued() {},
  });
  const parts = { db, clock, outbox, runTogether: createRunTogether(db) };
  const placed = await endPlacedCredentials(parts, { id: userId, orgId }, ofOperator(orgId));
  expect([isListed, placed.map(({ kind }) => kind)]).toEqual([true, ["password"]]);
  const users = service.db.selectFrom("users").select("password_hash").where("id", "=", userId);
  expect(await users.execute()).toEqual([{ password_hash: "own" }]);
});

test("a password that was set with a link counts as placed by the user who got the link", async () => {
  const setPassword = async (message: string) => {
    count += 1;
    const email = { email: `grace-${count}@example.com` };
    const human = { userName: `grace-${count}`, ...HUMAN, hashedPassword: undefined, email, message };
    const imported = await call("ImportHumanUser", JSON.parse(JSON.stringify(human)), manager);
    const userId = String(imported.userId);
    const link = (imported.initialization as { link?: string } | undefined)?.link;
    const code = link === undefined ? (await lastReceived(service, userId, "initialization")).code : codeIn(link);
    const atFirst = await call("AddOrgMember", { userId, roles: ["ORG_VIEWER"] });
    // Only the user gets the email.
    const links = link === undefined ? [] : [{ type: "PLACED_CREDENTIAL_TYPE_LINK", name: "initialization" }];
    expect(atFirst.placedCredentials ?? []).toMatchObject(links);
    await call("RemoveOrgMember", { userId });
    const page = await createVisitor(service).post("/ui/init", { code, password: PASSWORD, repeat: PASSWORD });
    expect(page.status).toBe(200);
    return await call("AddOrgMember", { userId, roles: ["ORG_VIEWER"] });
  };
  const placed = [{ type: "PLACED_CREDENTIAL_TYPE_PASSWORD", placedBy: manager.userId }];
  expect((await setPassword("MESSAGE_RETURN_LINK")).placedCredentials).toMatchObject(placed);
  expect((await setPassword("MESSAGE_UNSPECIFIED")).placedCredentials ?? []).toEqual([]);
});

const codeIn = (link: string) => new URL(link).searchParams.get("code") ?? "";

test("without the option, tokens get the role", async () => {
  const machine = await newMachine();
  const added = await call("AddOrgMember", { userId: machine.userId, roles: ["ORG_VIEWER"] });
  expect(added.placedCredentials).toMatchObject([{ id: machine.tokenId }]);
  expect(await isAccepted(machine)).toBe(true);
});

test("nothing ends if the roles are not granted", async () => {
  const machine = await newMachine();
  const request = { userId: machine.userId, endCredentials: true };
  const denied = (rpc: Rpc, roles: Role[], reason: "MEMBER_EXISTS" | "MEMBER_NOT_FOUND", headers = {}) =>
    expectError(service.db, "grpc", () => caller.call(rpc, { ...request, roles }, headers), reason);
  const headers = { "x-service-orgid": orgId };
  await denied("UpdateOrgMember", ["ORG_VIEWER"], "MEMBER_NOT_FOUND", headers);
  await call("AddOrgMember", { userId: machine.userId, roles: ["ORG_VIEWER"] });
  await denied("AddOrgMember", ["ORG_OWNER"], "MEMBER_EXISTS", headers);
  expect(await isAccepted(machine)).toBe(true);
});

test("an owner of the organization cannot end the credentials of a user with a role in the instance", async () => {
  const viewer = await service.createToken({ orgId, role: "INSTANCE_VIEWER" });
  const owner = await service.createToken({ orgId, role: "ORG_OWNER" });
  const headers = { authorization: `Bearer ${owner.token}` };
  const request = { userId: viewer.userId, roles: ["ORG_VIEWER"], endCredentials: true };
  await expectError(service.db, "grpc", () => caller.call("AddOrgMember", request, headers), "PERMISSION_DENIED");
  expect(await isAccepted(viewer)).toBe(true);
});

test("an organization does not learn the credentials of a user of another one", async () => {
  const foreign = await service.createToken({ orgId: service.orgId, role: "ORG_VIEWER", scopeId: orgId });
  const owner = await service.createToken({ orgId, role: "ORG_OWNER" });
  const request = { userId: foreign.userId, roles: ["ORG_VIEWER"], endCredentials: true };
  const { placedCredentials = [] } = await call("UpdateOrgMember", request, owner);
  expect(placedCredentials).toEqual([]);
  expect(await isAccepted(foreign)).toBe(true);
});
