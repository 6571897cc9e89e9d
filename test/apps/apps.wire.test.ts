import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import { PatchOIDCAppConfigRequestSchema, UpdateOIDCAppConfigRequestSchema } from "../../gen/signet/v1/app_pb.js";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { createTestApp, REDIRECT_URI } from "../support/oidc/apps.ts";
import { sha256 } from "../support/operations/stored-effects.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const keyPair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { kty = "", crv = "", x = "", y = "" } = keyPair.publicKey.export({ format: "jwk" });
const PUBLIC_KEY = { kty, crv, x, y };
const KEYS = JSON.stringify({ keys: [PUBLIC_KEY] });
const PRIVATE_KEYS = JSON.stringify({ keys: [keyPair.privateKey.export({ format: "jwk" })] });

const WEB = { name: "Shop", redirectUris: [REDIRECT_URI] };

test("a patch has the fields of an update, except the ignored projectId, with the same numbers and types", () => {
  const fieldsOf = ({ fields }: DescMessage) =>
    fields
      .filter(({ name }) => name !== "project_id" && name !== "update_mask")
      .map((field) => [field.number, field.name, field.fieldKind, field.scalar, field.enum?.typeName]);
  expect(fieldsOf(PatchOIDCAppConfigRequestSchema)).toEqual(fieldsOf(UpdateOIDCAppConfigRequestSchema));
});

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

const eventsOf = async (appId: string) =>
  (
    await service.db.selectFrom("events").select("type").where("aggregate_id", "=", appId).orderBy("sequence").execute()
  ).map(({ type }) => type);

async function call(rpc: Rpc, request: JsonObject): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

async function add(request: JsonObject): Promise<{ appId: string; clientSecret: string }> {
  const { appId, clientId, clientSecret = "" } = await call("AddOIDCApp", request);
  expect(clientId).toBe(appId);
  return { appId: String(appId), clientSecret: String(clientSecret) };
}

test("a web application gets a secret, of which the SHA-256 is stored", async () => {
  const { appId, clientSecret } = await add(WEB);
  expect(clientSecret).toMatch(/^[\w-]{43}$/);
  const row = await service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ owner_id: service.orgId, secret_hash: sha256(clientSecret), type: "web" });
  expect(await call("GetAppByID", { appId })).toMatchObject({
    app: {
      id: appId,
      name: "Shop",
      state: "APP_STATE_ACTIVE",
      details: { sequence: "1", resourceOwner: service.orgId },
      oidcConfig: { clientId: appId, redirectUris: [REDIRECT_URI] },
    },
  });
  expect(await eventsOf(appId)).toEqual(["app.oidc.added"]);
});

test("an application in a browser or on a device has no secret", async () => {
  const authMethodType = "OIDC_AUTH_METHOD_TYPE_NONE";
  const spa = await add({ ...WEB, appType: "OIDC_APP_TYPE_USER_AGENT", authMethodType });
  expect(spa.clientSecret).toBe("");
  const native = await add({
    ...{ name: "Tool", appType: "OIDC_APP_TYPE_NATIVE", authMethodType },
    redirectUris: ["http://127.0.0.1/done", "com.example.tool:/done"],
    grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  });
  await expectError(
    service.db,
    "grpc",
    () => caller.call("RegenerateOIDCClientSecret", { appId: native.appId }),
    "APP_WITHOUT_SECRET",
  );
});

test("a new configuration replaces the stored one, and the same configuration changes nothing", async () => {
  const { appId, clientSecret } = await add(WEB);
  const config = { appId, redirectUris: ["https://shop.example/other"], accessTokenType: "OIDC_TOKEN_TYPE_JWT" };
  const { details } = await call("UpdateOIDCAppConfig", config);
  expect(details).toMatchObject({ sequence: "2" });
  expect(await call("UpdateOIDCAppConfig", config)).toEqual({ details });
  expect(await call("GetAppByID", { appId })).toMatchObject({
    app: { details, oidcConfig: { redirectUris: config.redirectUris } },
  });
  const row = await service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();
  expect(row.secret_hash).toEqual(sha256(clientSecret));
  expect(await eventsOf(appId)).toEqual(["app.oidc.added", "app.oidc.changed"]);
});

test("a patch changes only the fields that its mask names", async () => {
  const { appId, clientSecret } = await add({
    ...WEB,
    devMode: true,
    backChannelLogoutUri: "https://shop.example/out",
  });
  const patch = { appId, redirectUris: ["http://shop.example/a"], apiAccess: true, accessTokenType: 1 };
  const updateMask = "redirectUris,backChannelLogoutUri";
  const { details } = await call("PatchOIDCAppConfig", { ...patch, updateMask });
  expect(details).toMatchObject({ sequence: "2" });
  expect(await call("PatchOIDCAppConfig", { ...patch, updateMask })).toEqual({ details });
  const row = await service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ redirect_uris: patch.redirectUris, back_channel_logout_uri: null, dev_mode: true });
  expect(row).toMatchObject({ api_access: false, access_token_type: "opaque", secret_hash: sha256(clientSecret) });
  await expectError(
    service.db,
    "grpc",
    () => caller.call("PatchOIDCAppConfig", { appId, updateMask: "devMode" }),
    "INVALID_ARGUMENT",
    ["redirectUris[0]"],
  );
  expect(await call("PatchOIDCAppConfig", { ...patch, redirectUris: [REDIRECT_URI], updateMask: "*" })).toMatchObject({
    details: { sequence: "3" },
  });
  const all = await service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();
  expect(all).toMatchObject({ dev_mode: false, api_access: true, access_token_type: "jwt" });
  expect(await eventsOf(appId)).toEqual(["app.oidc.added", "app.oidc.changed", "app.oidc.changed"]);
});

test.each([
  ["names no field", ""],
  ["names the id", "appId"],
  ["names an unknown field", "devMode,name"],
])("a patch is rejected if its mask %s", async (_, updateMask) => {
  const { appId } = await add(WEB);
  const patch = () => caller.call("PatchOIDCAppConfig", { appId, devMode: true, updateMask });
  await expectError(service.db, "grpc", patch, "INVALID_ARGUMENT", ["updateMask"]);
  expect(await eventsOf(appId)).toEqual(["app.oidc.added"]);
});

test("without a mask, a patch changes the fields in a REST body, and is rejected otherwise", async () => {
  const { appId } = await add({ ...WEB, devMode: true, apiAccess: true });
  const rest = createCaller("rest", service, service.adminToken);
  const patch = (by: Caller) => by.call("PatchOIDCAppConfig", { appId, apiAccess: false, accessTokenType: 1 });
  await expectError(service.db, "grpc", () => patch(caller), "INVALID_ARGUMENT", ["updateMask"]);
  expect(await patch(rest)).toMatchObject({ ok: true });
  const row = await service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ api_access: false, access_token_type: "jwt", dev_mode: true });
  const empty = () => rest.call("PatchOIDCAppConfig", { appId });
  await expectError(service.db, "rest", empty, "INVALID_ARGUMENT", ["updateMask"]);
  rest.close();
});

test("concurrent patches of different fields keep each other's changes", async () => {
  const { appId } = await add(WEB);
  const patches: JsonObject[] = [
    { devMode: true, updateMask: "devMode" },
    { accessTokenType: 1, updateMask: "accessTokenType" },
    { postLogoutRedirectUris: [REDIRECT_URI], updateMask: "postLogoutRedirectUris" },
  ];
  await Promise.all(patches.map((patch) => call("PatchOIDCAppConfig", { appId, ...patch })));
  const row = await service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    dev_mode: true,
    access_token_type: "jwt",
    post_logout_redirect_uris: [REDIRECT_URI],
  });
  expect(row.sequence).toBe(4n);
});

test("an application has public keys or their URL instead of a secret", async () => {
  const authMethodType = "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT";
  const { redirectUris } = WEB;
  const jwks = JSON.stringify({ keys: [{ ...PUBLIC_KEY, x5t: "unused" }] });
  const stored = { authMethodType, jwks: JSON.stringify({ keys: [PUBLIC_KEY] }) };
  const { appId, clientSecret } = await add({ ...WEB, authMethodType, jwks });
  expect(clientSecret).toBe("");
  expect(await call("GetAppByID", { appId })).toMatchObject({ app: { oidcConfig: stored } });
  await expectError(
    service.db,
    "grpc",
    () => caller.call("RegenerateOIDCClientSecret", { appId }),
    "APP_WITHOUT_SECRET",
  );
  const jwksUri = "https://shop.example/keys";
  await call("UpdateOIDCAppConfig", { appId, redirectUris, authMethodType, jwksUri });
  const { app } = (await call("GetAppByID", { appId })) as { app: { oidcConfig: JsonObject } };
  expect(app.oidcConfig).toMatchObject({ authMethodType, jwksUri });
  expect(app.oidcConfig.jwks ?? "").toBe("");
  await call("UpdateOIDCAppConfig", { appId, redirectUris });
  expect(String((await call("RegenerateOIDCClientSecret", { appId })).clientSecret)).toMatch(/^[\w-]{43}$/);
  await call("UpdateOIDCAppConfig", { appId, redirectUris, authMethodType, jwks });
  const row = await service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ secret_hash: null, jwks: stored.jwks, jwks_uri: null });
  const events = await service.db
    .selectFrom("events")
    .select("payload")
    .where("aggregate_id", "=", appId)
    .where("type", "in", ["app.oidc.added", "app.oidc.changed"])
    .orderBy("sequence")
    .execute();
  expect(events.map(({ payload }) => payload)).toMatchObject([
    { authMethod: "private_key_jwt", jwks: stored.jwks, jwksHost: null },
    { authMethod: "private_key_jwt", jwks: null, jwksHost: new URL(jwksUri).host },
    { authMethod: "basic", jwks: null, jwksHost: null },
    { authMethod: "private_key_jwt", jwks: stored.jwks, jwksHost: null },
  ]);
});

test("API access is off by default, and changed with the configuration", async () => {
  const accessOf = async (appId: string) => {
    const { app } = (await call("GetAppByID", { appId })) as { app: { oidcConfig: { apiAccess?: boolean } } };
    return app.oidcConfig.apiAccess ?? false;
  };
  expect(await accessOf((await add(WEB)).appId)).toBe(false);
  const { appId } = await add({ ...WEB, apiAccess: true });
  expect(await accessOf(appId)).toBe(true);
  await call("UpdateOIDCAppConfig", { appId, redirectUris: WEB.redirectUris, apiAccess: true });
  expect(await accessOf(appId)).toBe(true);
  await call("UpdateOIDCAppConfig", { appId, redirectUris: WEB.redirectUris });
  expect(await accessOf(appId)).toBe(false);
  const rows = await service.db
    .selectFrom("events")
    .select("payload")
    .where("aggregate_id", "=", appId)
    .orderBy("sequence")
    .execute();
  expect(rows.map(({ payload }) => payload)).toMatchObject([{ apiAccess: true }, { apiAccess: false }]);
});

test("only those who may change members control applications with API access", async () => {
  const made = await service.createToken({ orgId: service.orgId, role: "ORG_SETTINGS_MANAGER" });
  const manager = createCaller("grpc", service, made.token);
  const denied = (rpc: Rpc, request: JsonObject, headers = {}) =>
    expectError(service.db, "grpc", () => manager.call(rpc, request, headers), "PERMISSION_DENIED");
  const { appId } = await add({ ...WEB, apiAccess: true });
  const { appId: plain } = await add(WEB);
  const { redirectUris } = WEB;
  await denied("AddOIDCApp", { ...WEB, apiAccess: true });
  await denied("UpdateOIDCAppConfig", { appId: plain, redirectUris, apiAccess: true });
  for (const apiAccess of [true, false]) {
    await denied("UpdateOIDCAppConfig", { appId, redirectUris: ["https://evil.example/"], apiAccess });
  }
  await denied("RegenerateOIDCClientSecret", { appId });
  const updateMask = "redirectUris";
  await denied("PatchOIDCAppConfig", { appId, redirectUris: ["https://evil.example/"], updateMask });
  await denied("PatchOIDCAppConfig", { appId, apiAccess: false, updateMask: "apiAccess" });
  await denied("PatchOIDCAppConfig", { appId: plain, apiAccess: true, updateMask: "apiAccess" });
  await denied("UpdateOIDCAppConfig", { appId, redirectUris, apiAccess: true, authMethodType: 3, jwks: KEYS });
  await denied("UpdateOIDCAppConfig", { appId, redirectUris }, { "idempotency-key": "denied" });
  await denied("DeactivateApp", { appId });
  await denied("ReactivateApp", { appId });
  await denied("RemoveApp", { appId }, { "idempotency-key": "denied-removal" });
  expect(await eventsOf(appId)).toEqual(["app.oidc.added"]);
  expect(await manager.call("RegenerateOIDCClientSecret", { appId: plain })).toMatchObject({ ok: true });
  expect(await manager.call("UpdateOIDCAppConfig", { appId: plain, redirectUris })).toMatchObject({ ok: true });
  expect(await manager.call("PatchOIDCAppConfig", { appId: plain, redirectUris, updateMask })).toMatchObject({
    ok: true,
  });
  for (const rpc of ["DeactivateApp", "ReactivateApp", "RemoveApp"] as const) {
    expect(await manager.call(rpc, { appId: plain })).toMatchObject({ ok: true });
  }
  manager.close();
});

test("a new secret replaces the old one", async () => {
  const { appId, clientSecret } = await add(WEB);
  const response = await call("RegenerateOIDCClientSecret", { appId });
  const next = String(response.clientSecret);
  expect(next).not.toBe(clientSecret);
  const row = await service.db.selectFrom("apps").selectAll().where("id", "=", appId).executeTakeFirstOrThrow();
  expect(row.secret_hash).toEqual(sha256(next));
});

test("deactivating or removing an application ends its tokens", async () => {
  const { appId } = await add(WEB);
  const other = await add(WEB);
  const artifact = (clientId: string) => ({
    ...{ kind: "AccessToken", key: Buffer.from(randomUUID()), payload: "{}", client_id: clientId },
    ...{ created_at: new Date(), expires_at: new Date(Date.now() + 60_000) },
  });
  const tokensOf = async (id: string) =>
    (await service.db.selectFrom("oidc_artifacts").selectAll().where("client_id", "=", id).execute()).length;
  await service.db
    .insertInto("oidc_artifacts")
    .values([artifact(appId), artifact(other.appId)])
    .execute();

  await call("DeactivateApp", { appId });
  expect(await tokensOf(appId)).toBe(0);
  await expectError(service.db, "grpc", () => caller.call("DeactivateApp", { appId }), "APP_STATE");
  await call("ReactivateApp", { appId });
  await expectError(service.db, "grpc", () => caller.call("ReactivateApp", { appId }), "APP_STATE");
  await service.db.insertInto("oidc_artifacts").values(artifact(appId)).execute();
  expect(await call("RemoveApp", { appId })).toMatchObject({ details: { sequence: "4" } });
  expect(await tokensOf(appId)).toBe(0);
  expect(await tokensOf(other.appId)).toBe(1);
  await expectError(service.db, "grpc", () => caller.call("GetAppByID", { appId }), "APP_NOT_FOUND");
  expect((await eventsOf(appId)).at(-1)).toBe("app.removed");
});

test("applications of another organization and of the instance are not found", async () => {
  const orgId = await service.createOrg("Other");
  const foreign = [await createTestApp(service, orgId), await createTestApp(service, service.instanceId)];
  for (const appId of [...foreign.map(({ appId }) => appId), randomUUID(), "none"]) {
    for (const rpc of ["GetAppByID", "DeactivateApp", "ReactivateApp", "RemoveApp"] as const) {
      await expectError(service.db, "grpc", () => caller.call(rpc, { appId }), "APP_NOT_FOUND");
    }
    const update = { appId, redirectUris: [REDIRECT_URI] };
    await expectError(service.db, "grpc", () => caller.call("UpdateOIDCAppConfig", update), "APP_NOT_FOUND");
    const patch = { ...update, updateMask: "redirectUris" };
    await expectError(service.db, "grpc", () => caller.call("PatchOIDCAppConfig", patch), "APP_NOT_FOUND");
  }
  const { result } = (await call("ListApps", {})) as { result: { id: string }[] };
  const listed = result.map(({ id }) => id);
  for (const { appId } of foreign) expect(listed).not.toContain(appId);
});

test("lists find by name", async () => {
  const name = "Cafe";
  const { appId } = await add({ ...WEB, name });
  const queries = [{ nameQuery: { name: "CAFE", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } }];
  const { result } = (await call("ListApps", { queries })) as { result: { id: string; name: string }[] };
  expect(result.map(({ id }) => id)).toContain(appId);
  expect(result.every((app) => app.name.startsWith("Cafe"))).toBe(true);
  await expectError(service.db, "grpc", () => caller.call("ListApps", { queries: [{}] }), "INVALID_ARGUMENT", [
    "queries[0]",
  ]);
});

test.each<[string, JsonObject, string[]]>([
  ["no name", { redirectUris: [REDIRECT_URI] }, ["name"]],
  ["an invisible name", { ...WEB, name: "\u200b" }, ["name"]],
  ["no redirect URI", { name: "Shop" }, ["redirectUris"]],
  ["an http redirect URI", { ...WEB, redirectUris: ["http://shop.example/"] }, ["redirectUris[0]"]],
  ["a relative redirect URI", { ...WEB, redirectUris: [REDIRECT_URI, "/done"] }, ["redirectUris[1]"]],
  ["a redirect URI with a fragment", { ...WEB, redirectUris: ["https://shop.example/#x"] }, ["redirectUris[0]"]],
  ["a redirect URI with a user", { ...WEB, redirectUris: ["https://a@shop.example/"] }, ["redirectUris[0]"]],
  ["a scheme that is none of an application", { ...WEB, redirectUris: ["javascript:alert(1)"] }, ["redirectUris[0]"]],
  [
    "a scheme without a dot on a device",
    { ...WEB, appType: 2, authMethodType: 2, redirectUris: ["tool:/done"] },
    ["redirectUris[0]"],
  ],
  ["a secret in a browser", { ...WEB, appType: "OIDC_APP_TYPE_USER_AGENT" }, ["authMethodType"]],
  ["a secret on a device", { ...WEB, appType: "OIDC_APP_TYPE_NATIVE" }, ["authMethodType"]],
  ["a signature without keys", { ...WEB, authMethodType: 3 }, ["jwks"]],
  ["keys besides a secret", { ...WEB, jwks: KEYS, jwksUri: "https://shop.example/keys" }, ["jwks", "jwksUri"]],
  ["keys and their URL", { ...WEB, authMethodType: 3, jwks: KEYS, jwksUri: "https://shop.example/" }, ["jwksUri"]],
  ["an http URL of keys", { ...WEB, authMethodType: 3, jwksUri: "http://shop.example/keys" }, ["jwksUri"]],
  ["a private key", { ...WEB, authMethodType: 3, jwks: PRIVATE_KEYS }, ["jwks"]],
  ["too long keys", { ...WEB, authMethodType: 3, jwks: `${KEYS}${" ".repeat(16_384)}` }, ["jwks"]],
  ["a signature in a browser", { ...WEB, appType: 1, authMethodType: 3, jwks: KEYS }, ["authMethodType"]],
  [
    "the implicit flow",
    { ...WEB, responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"], grantTypes: [1] },
    ["responseTypes[0]", "grantTypes[0]"],
  ],
  ["a refresh token alone", { ...WEB, grantTypes: [2] }, ["grantTypes"]],
  ["an origin with a path", { ...WEB, additionalOrigins: ["https://shop.example/"] }, ["additionalOrigins[0]"]],
  ["an http address for sign-outs", { ...WEB, backChannelLogoutUri: "http://shop.example" }, ["backChannelLogoutUri"]],
])("an application is rejected: %s", async (_title, request, fields) => {
  const caller = createCaller("rest", service, service.adminToken);
  await expectError(service.db, "rest", () => caller.call("AddOIDCApp", request), "INVALID_ARGUMENT", fields);
  caller.close();
});

test("development mode allows http", async () => {
  const caller = createCaller("rest", service, service.adminToken);
  const request = { ...WEB, devMode: true, redirectUris: ["http://shop.test:3000/done"] };
  expect(await caller.call("AddOIDCApp", request)).toMatchObject({ ok: true });
  caller.close();
});
