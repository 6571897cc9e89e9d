import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { createTestApp, REDIRECT_URI } from "../../support/oidc/apps.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const ROLES = ["editor", "viewer", "admin"];

describe("roles of users in applications", () => {
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

  async function send(rpc: Rpc, request: JsonObject, headers = {}): Promise<JsonObject> {
    const outcome = await caller.call(rpc, request, headers);
    if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
    return outcome.message;
  }

  const fail = (rpc: Rpc, request: JsonObject, reason: Parameters<typeof expectError>[3], fields: string[] = []) =>
    expectError(service.db, "grpc", () => caller.call(rpc, request), reason, fields);

  const newApp = async (roles = ROLES, orgId = service.orgId) => (await createTestApp(service, orgId, { roles })).appId;
  const newUser = async (orgId = service.orgId) => (await service.createToken({ orgId })).userId;

  /** The listed roles. */
  async function list(...queries: JsonObject[]): Promise<JsonObject[]> {
    const { result = [] } = await send("ListUserAppRoles", { queries, query: { asc: true } });
    return result as JsonObject[];
  }
  const rolesOf = async (userId: string, appId: string) =>
    (await list({ userIdQuery: { userId } }, { appIdQuery: { appId } })).map(({ role }) => role);

  test("are given, listed and taken", async () => {
    const [appId, userId] = [await newApp(), await newUser()];
    const given = await send("AddUserAppRoles", { userId, appId, roles: ["viewer", "admin"] });
    expect(given.details).toMatchObject({ resourceOwner: service.orgId });
    // The same again changes nothing.
    expect(await send("AddUserAppRoles", { userId, appId, roles: ["admin"] })).toEqual(given);
    await send("AddUserAppRoles", { userId, appId, roles: ["admin", "editor"] });
    expect(await rolesOf(userId, appId)).toEqual(["admin", "editor", "viewer"]);
    const [listed] = await list({ userIdQuery: { userId } }, { roleQuery: { role: "viewer" } });
    const { details, ...role } = listed ?? {};
    expect(role).toEqual({ userId, appId, role: "viewer" });
    expect(details).toMatchObject({ sequence: (given.details as JsonObject).sequence, resourceOwner: service.orgId });
    await send("RemoveUserAppRoles", { userId, appId, roles: ["viewer", "admin"] });
    expect(await rolesOf(userId, appId)).toEqual(["editor"]);
    await fail("RemoveUserAppRoles", { userId, appId, roles: ["editor", "viewer"] }, "APP_ROLE_NOT_FOUND");
    const events = await service.db
      .selectFrom("events")
      .select(["type", "payload"])
      .where("aggregate_id", "=", userId)
      .where("type", "like", "user.app.roles.%")
      .orderBy("sequence")
      .execute();
    expect(events).toEqual([
      { type: "user.app.roles.added", payload: { appId, roles: ["viewer", "admin"] } },
      { type: "user.app.roles.added", payload: { appId, roles: ["admin", "editor"] } },
      { type: "user.app.roles.removed", payload: { appId, roles: ["viewer", "admin"] } },
    ]);
  });

  test("are given once for an idempotency key", async () => {
    const request = { userId: await newUser(), appId: await newApp(), roles: ["viewer"] };
    const headers = { "idempotency-key": "roles" };
    const first = await send("AddUserAppRoles", request, headers);
    await send("RemoveUserAppRoles", request);
    expect(await send("AddUserAppRoles", request, headers)).toEqual(first);
    expect(await rolesOf(request.userId, request.appId)).toEqual([]);
  });

  test("are those of the application, and of its organization", async () => {
    const [appId, userId] = [await newApp(), await newUser()];
    const other = await service.createOrg("Roles");
    const [foreignApp, foreignUser] = [await newApp(ROLES, other), await newUser(other)];
    const ofInstance = await newApp(ROLES, service.instanceId);
    const roles = ["viewer"];
    await fail("AddUserAppRoles", { userId, appId, roles: ["viewer", "owner"] }, "APP_ROLE_NOT_FOUND");
    for (const unknown of [foreignApp, ofInstance, randomUUID(), "shop"]) {
      await fail("AddUserAppRoles", { userId, appId: unknown, roles }, "APP_NOT_FOUND");
      await fail("RemoveUserAppRoles", { userId, appId: unknown, roles }, "APP_ROLE_NOT_FOUND");
      expect(await list({ appIdQuery: { appId: unknown } })).toEqual([]);
    }
    for (const unknown of [foreignUser, randomUUID(), "ada"]) {
      await fail("AddUserAppRoles", { userId: unknown, appId, roles }, "USER_NOT_FOUND");
      await fail("RemoveUserAppRoles", { userId: unknown, appId, roles }, "USER_NOT_FOUND");
    }
    await send("AddUserAppRoles", { userId: foreignUser, appId: foreignApp, roles }, { "x-service-orgid": other });
    expect(await list({ userIdQuery: { userId: foreignUser } })).toEqual([]);
  });

  test("have names of printable ASCII characters without spaces", async () => {
    const [appId, userId] = [await newApp(), await newUser()];
    const roles = ["viewer", "an editor", 'say"so', "é", "viewer", "a".repeat(101), ""];
    const fields = [1, 2, 3, 4, 5, 6].map((n) => `roles[${n}]`);
    await fail("AddUserAppRoles", { userId, appId, roles }, "INVALID_ARGUMENT", fields);
    await fail("AddOIDCApp", { name: "Shop", redirectUris: [REDIRECT_URI], roles }, "INVALID_ARGUMENT", fields);
    const patch = { appId, roles: roles.slice(0, 5), updateMask: "roles" };
    await fail("PatchOIDCAppConfig", patch, "INVALID_ARGUMENT", fields.slice(0, 4));
    await fail("AddUserAppRoles", { userId, appId, roles: [] }, "INVALID_ARGUMENT", ["roles"]);
    await fail(
      "AddUserAppRoles",
      { userId, appId, roles: Array.from({ length: 51 }, (_, n) => `r${n}`) },
      "INVALID_ARGUMENT",
      ["roles"],
    );
    await fail("ListUserAppRoles", { queries: [{}] }, "INVALID_ARGUMENT", ["queries[0]"]);
  });

  test("end when the application loses the role, and do not come back with it", async () => {
    const [appId, userId, other] = [await newApp(), await newUser(), await newUser()];
    const kept = await newApp();
    for (const id of [userId, other]) await send("AddUserAppRoles", { userId: id, appId, roles: ["viewer", "admin"] });
    await send("AddUserAppRoles", { userId, appId: kept, roles: ["admin"] });
    await send("PatchOIDCAppConfig", { appId, roles: ["viewer"], updateMask: "roles" });
    const { app } = (await send("GetAppByID", { appId })) as { app: { oidcConfig: JsonObject } };
    expect(app.oidcConfig.roles).toEqual(["viewer"]);
    await send("PatchOIDCAppConfig", { appId, roles: ROLES, updateMask: "roles" });
    expect([await rolesOf(userId, appId), await rolesOf(other, appId)]).toEqual([["viewer"], ["viewer"]]);
    expect(await rolesOf(userId, kept)).toEqual(["admin"]);
    await send("UpdateOIDCAppConfig", { appId, redirectUris: [REDIRECT_URI] });
    expect(await rolesOf(userId, appId)).toEqual([]);
  });

  test("end with the application, and with the user", async () => {
    const [appId, left] = [await newApp(), await newApp()];
    const [userId, removed] = [await newUser(), await newUser()];
    for (const id of [userId, removed]) {
      for (const app of [appId, left]) await send("AddUserAppRoles", { userId: id, appId: app, roles: ["viewer"] });
    }
    await send("RemoveApp", { appId });
    expect(await list({ appIdQuery: { appId } })).toEqual([]);
    await send("RemoveUser", { id: removed });
    expect((await list({ appIdQuery: { appId: left } })).map((role) => role.userId)).toEqual([userId]);
  });

  test("of an owner are given and taken only by owners", async () => {
    const appId = await newApp();
    const owner = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    const manager = await service.createToken({ orgId: service.orgId, role: "ORG_USER_MANAGER" });
    const by = createCaller("grpc", service, manager.token);
    const request = { userId: owner.userId, appId, roles: ["viewer"] };
    await send("AddUserAppRoles", request);
    for (const rpc of ["AddUserAppRoles", "RemoveUserAppRoles"] as const) {
      await expectError(service.db, "grpc", () => by.call(rpc, request), "PERMISSION_DENIED");
    }
    expect(await by.call("AddUserAppRoles", { ...request, userId: await newUser() })).toMatchObject({ ok: true });
    by.close();
  });

  test("of concurrent calls are all given", async () => {
    const caller = createCaller("rest", service, service.adminToken);
    const { appId } = await createTestApp(service, service.orgId, { roles: ROLES });
    const { userId } = await service.createToken({ orgId: service.orgId });
    const calls = ROLES.map((role) => caller.call("AddUserAppRoles", { userId, appId, roles: [role] }));
    expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([true, true, true]);
    const rows = await service.db.selectFrom("user_app_roles").select("role").where("user_id", "=", userId).execute();
    expect(rows.map(({ role }) => role).sort()).toEqual([...ROLES].sort());
    caller.close();
  });
});
