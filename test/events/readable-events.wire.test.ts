import type { JsonObject } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { sql } from "kysely";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { EVENT_TEXTS } from "../../src/events/catalogue.ts";
import type { Role } from "../../src/roles.ts";
import { PROVIDERS } from "../idps/provider-requests.ts";
import { type Caller, createCaller, type ReadRpc, type Rpc } from "../support/clients/callers.ts";
import { HUMAN } from "../support/clients/requests.ts";
import { MESSAGE_TEXT } from "../support/message-text.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createTestPasswordHook } from "../support/webhooks/password-hook.ts";
import { createTestWebhook } from "../support/webhooks/webhook.ts";

/** Roles whose callers may list events, or the changes of the organization. */
const ROLES: readonly Role[] = [
  "ORG_OWNER",
  "ORG_SETTINGS_MANAGER",
  "ORG_USER_MANAGER",
  "ORG_VIEWER",
  "INSTANCE_OWNER",
  "INSTANCE_USER_MANAGER",
  "INSTANCE_VIEWER",
];

let service: TestService;
let caller: Caller;
let orgId: string;
/** An event of each kind of object, with the call that reads the object. */
let objects: readonly (readonly [type: string, ReadRpc, JsonObject])[];

beforeAll(async () => {
  service = await startService("postgres", {}, { watchTimes: { heartbeatMs: 50, recheckMs: 20, pollMs: 5 } });
  caller = createCaller("grpc", service, service.adminToken);
  orgId = await service.createOrg("Other");
  const { userId } = await call("ImportHumanUser", { userName: "ada", ...HUMAN });
  await call("AddOrgMember", { userId: String(userId), roles: ["ORG_VIEWER"] });
  const { id } = await call("AddGenericOAuthProvider", {
    ...PROVIDERS.GenericOAuth,
    authorizationEndpoint: "https://login.example.com/authorize?key=s3cret",
  });
  const { appId } = await call("AddOIDCApp", {
    name: "Shop",
    redirectUris: ["https://shop.example.com/in?key=s3cret", "https://shop.example.com/in2"],
    postLogoutRedirectUris: ["https://out.example.com:8443/?key=s3cret"],
    backChannelLogoutUri: "https://logout.example.com/s3cret",
  });
  const api = await call("AddAPI", { name: "API", identifier: "urn:example:api" });
  await call("AddScimConnection", { name: "Entra ID" });
  await createTestWebhook(service, orgId);
  await createTestPasswordHook(service, orgId, "https://legacy.example.com/s3cret");
  await call("AddCustomLabelPolicy", {});
  await call("AddCustomLoginPolicy", { allowUsernamePassword: true });
  await call("SetCustomMessageText", MESSAGE_TEXT);
  objects = [
    ["user.human.added", "GetUserByID", { id: String(userId) }],
    ["org.added", "GetMyOrg", {}],
    ["org.member.added", "ListOrgMembers", {}],
    ["org.idp.provider.added", "GetProviderByID", { id: String(id) }],
    ["app.oidc.added", "GetAppByID", { appId: String(appId) }],
    ["org.api.added", "GetAPIByID", { id: String(api.id) }],
    ["org.scim.connection.added", "ListScimConnections", {}],
    ["org.webhook.added", "ListWebhooks", {}],
    ["org.password.hook.set", "GetPasswordHook", {}],
    ["org.label.policy.added", "GetLabelPolicy", {}],
    ["org.login.policy.added", "GetLoginPolicy", {}],
    ["org.message.text.changed", "ListCustomMessageTexts", { language: "en" }],
  ];
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function call(rpc: Rpc, request: JsonObject, token?: string): Promise<JsonObject> {
  const headers = { "x-service-orgid": orgId, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.message;
}

async function createHolder(role: Role): Promise<{ readonly token: string; readonly userId: string }> {
  return await service.createToken({ orgId, role });
}

async function typesOf(token: string, request: JsonObject = {}): Promise<string[]> {
  const { events } = (await call("ListEvents", { limit: 1_000, ...request }, token)) as {
    events?: { type: { type: string } }[];
  };
  return (events ?? []).map(({ type }) => type.type);
}

/** The types of events whose objects the caller may read. */
async function readable(token: string): Promise<string[]> {
  const types: string[] = [];
  for (const [type, rpc, request] of objects) {
    const isRead = await call(rpc, request, token).then(
      () => true,
      ({ message }) => message !== "PERMISSION_DENIED",
    );
    if (isRead) types.push(type);
  }
  return types;
}

test.each(ROLES)("%s sees the events of the objects that the caller may read", async (role) => {
  const { token } = await createHolder(role);
  const expected = await readable(token);
  if (role === "ORG_SETTINGS_MANAGER") {
    await expect(typesOf(token)).rejects.toThrow("PERMISSION_DENIED");
  } else {
    const all = new Set(await typesOf(token));
    expect(objects.map(([type]) => type).filter((type) => all.has(type))).toEqual(expected);
    const asked = await typesOf(token, { eventTypes: objects.map(([type]) => type), asc: true });
    expect(new Set(asked)).toEqual(new Set(expected));
  }
  const { result } = (await call("ListOrgChanges", { query: { limit: 1_000 } }, token)) as {
    result: { eventType: { key: string } }[];
  };
  const changes = new Set(result.map(({ eventType }) => eventType.key));
  const ofOrg = ["org.added", "org.member.added", "org.password.hook.set", "org.login.policy.added"];
  expect(ofOrg.filter((type) => changes.has(type))).toEqual(ofOrg.filter((type) => expected.includes(type)));
});

test("pages of readable events continue behind those that are hidden", async () => {
  const { token } = await createHolder("ORG_USER_MANAGER");
  const [asc, all] = [true, await typesOf(token, { asc: true })];
  const found: string[] = [];
  let sequence: string | undefined = "0";
  do {
    const page: JsonObject = await call("ListEvents", { asc, sequence, limit: 2 }, token);
    found.push(...((page.events ?? []) as { type: { type: string } }[]).map(({ type }) => type.type));
    sequence = page.nextSequence as string | undefined;
  } while (sequence !== undefined && sequence !== "0");
  expect(found).toEqual(all);
});

test("a watcher that loses a role gets no more events of the objects that it could read with it", async () => {
  const { token, userId } = await createHolder("ORG_OWNER");
  const client = createClient(ManagementService, createGrpcTransport({ baseUrl: service.origin }));
  const control = new AbortController();
  const headers = { authorization: `Bearer ${token}`, "x-service-orgid": orgId };
  const responses = client.watchEvents({}, { headers, signal: control.signal })[Symbol.asyncIterator]();
  const next = async (isWanted: (type: string | undefined) => boolean) => {
    for (;;) {
      const type = (await responses.next()).value?.event?.type?.type;
      if (isWanted(type)) return type;
    }
  };
  await next((type) => type === undefined);
  await call("AddAPI", { name: "API", identifier: "urn:example:first" });
  expect(await next((type) => type !== undefined)).toBe("org.api.added");
  await call("UpdateOrgMember", { userId, roles: ["ORG_USER_MANAGER"] });
  // Within the time of a check, the earlier roles may still count.
  for (let n = 0; n < 3; n += 1) await next((type) => type === undefined);
  await call("AddAPI", { name: "API", identifier: "urn:example:second" });
  await call("ImportHumanUser", { userName: "grace", ...HUMAN });
  expect(await next((type) => type !== undefined)).toBe("user.human.added");
  control.abort();
});

test("a watcher from a position gets readable events only", async () => {
  const { token } = await createHolder("ORG_USER_MANAGER");
  const client = createClient(ManagementService, createGrpcTransport({ baseUrl: service.origin }));
  const headers = { authorization: `Bearer ${token}`, "x-service-orgid": orgId };
  const control = new AbortController();
  const types: string[] = [];
  for await (const { event } of client.watchEvents({ afterPosition: 0n }, { headers, signal: control.signal })) {
    if (event === undefined) break;
    types.push(event.type?.type ?? "");
  }
  control.abort();
  expect(types).toEqual(await typesOf(token, { asc: true }));
});

test("payloads have the hosts of URLs, not their paths and queries", async () => {
  const { token } = await createHolder("ORG_OWNER");
  const rest = createCaller("rest", service, token);
  const headers = { "x-service-orgid": orgId };
  const eventTypes = ["app.oidc.added", "org.idp.provider.added"];
  const outcome = await rest.call("ListEvents", { asc: true, eventTypes }, headers);
  expect(outcome).toMatchObject({
    message: {
      events: [
        { payload: { settings: { authorizationHost: "login.example.com", idAttribute: "id" } } },
        {
          payload: {
            redirectHosts: ["shop.example.com"],
            postLogoutRedirectHosts: ["out.example.com:8443"],
            backChannelLogoutHost: "logout.example.com",
            jwksHost: null,
          },
        },
      ],
    },
  });
  rest.close();
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from events where payload::text like '%s3cret%'`.execute(service.db);
  expect(Number(rows[0]?.count)).toBe(0);
});

test("an event of another version of the service is for callers who may read all objects", async () => {
  await sql`insert into events (owner_id, aggregate_id, sequence, type, created_at)
    values (${orgId}::uuid, gen_random_uuid(), 1, 'org.later.added', now())`.execute(service.db);
  expect(Object.keys(EVENT_TEXTS)).not.toContain("org.later.added");
  const [owner, manager] = [await createHolder("ORG_OWNER"), await createHolder("ORG_USER_MANAGER")];
  expect(await typesOf(owner.token)).toContain("org.later.added");
  expect(await typesOf(manager.token)).not.toContain("org.later.added");
});
