import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Role } from "../../src/roles.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { REDIRECT_URI } from "../support/oidc/apps.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const WEB = { name: "Shop", redirectUris: [REDIRECT_URI] };

describe("applications of the type SERVICE", () => {
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

  const newMachine = async (role?: Role, orgId = service.orgId) =>
    (await service.createToken({ orgId, ...(role && { role }) })).userId;

  const rowOf = (appId: string) =>
    service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();

  async function call(rpc: Rpc, request: JsonObject): Promise<JsonObject> {
    const outcome = await caller.call(rpc, request);
    if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
    return outcome.message;
  }

  const invalid = (rpc: Rpc, request: JsonObject, fields: string[]) =>
    expectError(service.db, "grpc", () => caller.call(rpc, request), "INVALID_ARGUMENT", fields);

  const toService = (serviceUserId: string) => ({ name: "Billing", appType: "OIDC_APP_TYPE_SERVICE", serviceUserId });
  const add = async (request: JsonObject) => String((await call("AddOIDCApp", request)).appId);

  test("have a machine user, a secret, and the grant type CLIENT_CREDENTIALS", async () => {
    const serviceUserId = await newMachine();
    const { appId, clientSecret } = await call("AddOIDCApp", toService(serviceUserId));
    expect(clientSecret).toMatch(/^[\w-]{43}$/);
    expect(await call("GetAppByID", { appId: String(appId) })).toMatchObject({
      app: {
        oidcConfig: {
          appType: "OIDC_APP_TYPE_SERVICE",
          grantTypes: ["OIDC_GRANT_TYPE_CLIENT_CREDENTIALS"],
          serviceUserId,
        },
      },
    });
    const [event] = await service.db
      .selectFrom("events")
      .select("payload")
      .where("aggregate_id", "=", String(appId))
      .execute();
    expect(event?.payload).toMatchObject({ type: "service", serviceUserId, grantTypes: ["client_credentials"] });
  });

  test("have nothing of applications for people", async () => {
    const serviceUserId = await newMachine();
    const people = {
      ...{ redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [REDIRECT_URI] },
      ...{ additionalOrigins: ["https://shop.example"], backChannelLogoutUri: "https://shop.example/out" },
      ...{ grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"], authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
    };
    await invalid("AddOIDCApp", { ...toService(serviceUserId), ...people }, Object.keys(people));
    await invalid("AddOIDCApp", { name: "Billing", appType: "OIDC_APP_TYPE_SERVICE" }, ["serviceUserId"]);
    const grantTypes = ["OIDC_GRANT_TYPE_CLIENT_CREDENTIALS"];
    await invalid("AddOIDCApp", { ...WEB, grantTypes, serviceUserId }, ["grantTypes", "serviceUserId"]);
  });

  test("have a machine user of their organization", async () => {
    const ofOther = await newMachine(undefined, await service.createOrg("other"));
    const human = await newMachine();
    const names = { first_name: "Ada", last_name: "L", display_name: "Ada", gender: 0, email: "a@b.example" };
    await service.db
      .updateTable("users")
      .set({ kind: "human", ...names })
      .where("id", "=", human)
      .execute();
    const serviceUserId = await newMachine();
    const appId = await add(toService(serviceUserId));
    for (const id of [ofOther, human, randomUUID(), "robot"]) {
      await invalid("AddOIDCApp", toService(id), ["serviceUserId"]);
      const { name: _, ...config } = toService(id);
      await invalid("UpdateOIDCAppConfig", { appId, ...config }, ["serviceUserId"]);
      await invalid("PatchOIDCAppConfig", { appId, serviceUserId: id, updateMask: "serviceUserId" }, ["serviceUserId"]);
    }
    expect(await rowOf(appId)).toMatchObject({ service_user_id: serviceUserId, sequence: 1n });
  });

  test("become another type, and the other way round, with all that the type requires", async () => {
    const serviceUserId = await newMachine();
    const appId = await add(WEB);
    const patch = { appId, appType: "OIDC_APP_TYPE_SERVICE", serviceUserId };
    await invalid("PatchOIDCAppConfig", { ...patch, updateMask: "appType,serviceUserId" }, [
      "grantTypes",
      "redirectUris",
    ]);
    await invalid("PatchOIDCAppConfig", { ...patch, updateMask: "serviceUserId" }, ["serviceUserId"]);
    const updateMask = "appType,serviceUserId,grantTypes,redirectUris";
    const grantTypes = ["OIDC_GRANT_TYPE_CLIENT_CREDENTIALS"];
    await call("PatchOIDCAppConfig", { ...patch, grantTypes, updateMask });
    expect(await rowOf(appId)).toMatchObject({ type: "service", service_user_id: serviceUserId, redirect_uris: [] });
    await invalid("PatchOIDCAppConfig", { appId, appType: "OIDC_APP_TYPE_WEB", updateMask: "appType" }, [
      "grantTypes",
      "serviceUserId",
    ]);
    await invalid("PatchOIDCAppConfig", { appId, updateMask: "serviceUserId" }, ["serviceUserId"]);
    await call("UpdateOIDCAppConfig", { appId, redirectUris: WEB.redirectUris });
    expect(await rowOf(appId)).toMatchObject({ type: "web", service_user_id: null });
  });

  test("are controlled only by callers with user.write and every role of the machine user", async () => {
    const owner = await newMachine("ORG_OWNER");
    const plain = await newMachine();
    const ofOwner = await add(toService(owner));
    const ofPlain = await add(toService(plain));
    const shop = await add(WEB);

    const settings = await service.createToken({ orgId: service.orgId, role: "ORG_SETTINGS_MANAGER" });
    const manager = createCaller("grpc", service, settings.token);
    const denied = (by: Caller, rpc: Rpc, request: JsonObject) =>
      expectError(service.db, "grpc", () => by.call(rpc, request), "PERMISSION_DENIED");
    const everyChange = async (by: Caller, appId: string, userId: string) => {
      const { name: _, ...config } = toService(userId);
      await denied(by, "AddOIDCApp", toService(userId));
      await denied(by, "UpdateOIDCAppConfig", { appId, ...config });
      await denied(by, "UpdateOIDCAppConfig", { appId, redirectUris: WEB.redirectUris });
      await denied(by, "PatchOIDCAppConfig", { appId, devMode: true, updateMask: "devMode" });
      for (const rpc of ["RegenerateOIDCClientSecret", "DeactivateApp", "ReactivateApp", "RemoveApp"] as const) {
        await denied(by, rpc, { appId });
      }
      const updateMask = "appType,serviceUserId,grantTypes,redirectUris";
      const grantTypes = ["OIDC_GRANT_TYPE_CLIENT_CREDENTIALS"];
      await denied(by, "PatchOIDCAppConfig", { appId: shop, ...config, grantTypes, updateMask });
    };
    // Without user.write.
    await everyChange(manager, ofPlain, plain);
    await everyChange(manager, ofOwner, owner);
    expect(await manager.call("RegenerateOIDCClientSecret", { appId: shop })).toMatchObject({ ok: true });

    // With user.write, but without the permission to give the role.
    const user = { userId: settings.userId, roles: ["ORG_SETTINGS_MANAGER", "ORG_USER_MANAGER"] };
    await call("UpdateOrgMember", user);
    await everyChange(manager, ofOwner, owner);
    expect(await manager.call("RegenerateOIDCClientSecret", { appId: ofPlain })).toMatchObject({ ok: true });
    expect(await manager.call("AddOIDCApp", toService(plain))).toMatchObject({ ok: true });
    const takeover = { appId: ofPlain, serviceUserId: owner, updateMask: "serviceUserId" };
    await denied(manager, "PatchOIDCAppConfig", takeover);
    manager.close();

    // An owner of the organization cannot use a user with a role in the instance.
    const ofInstance = await newMachine("INSTANCE_VIEWER");
    const orgOwner = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    const org = createCaller("grpc", service, orgOwner.token);
    await everyChange(org, await add(toService(ofInstance)), ofInstance);
    expect(await org.call("RegenerateOIDCClientSecret", { appId: ofOwner })).toMatchObject({ ok: true });
    org.close();
  });

  test("can still be changed after the machine user was removed", async () => {
    const id = await newMachine();
    const appId = await add(toService(id));
    await call("RemoveUser", { id });
    await invalid("PatchOIDCAppConfig", { appId, devMode: true, updateMask: "devMode" }, ["serviceUserId"]);
    await call("PatchOIDCAppConfig", { appId, serviceUserId: await newMachine(), updateMask: "serviceUserId" });
    expect(await rowOf(appId)).toMatchObject({ sequence: 2n });
  });

  test("are added once for an idempotency key", async () => {
    const request = toService(await newMachine());
    const headers = { "idempotency-key": "service" };
    const [first, second] = [
      await caller.call("AddOIDCApp", request, headers),
      await caller.call("AddOIDCApp", request, headers),
    ];
    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({ ok: true, message: first.message as JsonObject });
    const refused = await caller.call("AddOIDCApp", toService(randomUUID()), {
      "idempotency-key": "refused",
    });
    expect(refused).toMatchObject({ ok: false, reason: "INVALID_ARGUMENT" });
    expect(await caller.call("AddOIDCApp", request, { "idempotency-key": "refused" })).toMatchObject({
      ok: true,
    });
  });
});
