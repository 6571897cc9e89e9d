import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { grantRole } from "../../src/access/grant-role.ts";
import { AUTHENTICATED, type Permission, type Requirement, type Role } from "../../src/roles.ts";
import { PROVIDERS } from "../idps/provider-requests.ts";
import {
  type Caller,
  createCaller,
  isAdmin,
  type Outcome,
  PROTOCOLS,
  READ_RPCS,
  type Rpc,
  WRITE_RPCS,
  type WriteRpc,
} from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP, PASSWORD } from "../support/clients/requests.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createTestPasswordHook } from "../support/webhooks/password-hook.ts";
import { createTestWebhook } from "../support/webhooks/webhook.ts";
import { DOCUMENTED_ROLES, documentedPermission, permissionOf } from "./documented-roles.ts";
import { type ReadObjects, readRequestOf } from "./read-requests.ts";
import { createWriteRequests, detailsOf } from "./write-requests.ts";

/** The RPCs that have more than one response. */
const STREAMS = [AdminService.method.watchEvents, ManagementService.method.watchEvents];

const ROLES = (Object.keys(DOCUMENTED_ROLES) as Role[]).sort(
  (a, b) => DOCUMENTED_ROLES[a].permissions.length - DOCUMENTED_ROLES[b].permissions.length,
);
const has = (role: Role, permission: Requirement) =>
  DOCUMENTED_ROLES[role].permissions.includes(permission as Permission);

type Made = Awaited<ReturnType<TestService["createToken"]>>;

let service: TestService;
let caller: Caller;
/** `other` is the organization that all calls act on. */
let orgs: { own: string; other: string };
let objects: { own: ReadObjects; other: ReadObjects };
let writeRequestOf: ReturnType<typeof createWriteRequests>;

beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  for (const secret of [BCRYPT, CLIENT_SECRET, PASSWORD]) service.secret(secret);
  caller = createCaller("grpc", service, service.adminToken);
  orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
  const provider = await call("AddOIDCIDP", IDP, orgs.other);
  writeRequestOf = createWriteRequests(service, String(provider.idpId));
  // A provider without metadata, so that its check sends no requests.
  const { id: instanceIdpId } = await call("AdminService.AddGitHubProvider", PROVIDERS.GitHub, orgs.other);
  const createObjects = async (orgId: string): Promise<ReadObjects> => {
    const { userId } = await call("ImportHumanUser", { userName: "ada", ...HUMAN }, orgId);
    await call("SetUserMetadata", { id: String(userId), key: "plan", value: "Z29sZA==" }, orgId);
    await createTestPasswordHook(service, orgId, "https://legacy.example.com/");
    const connection = await call("AddScimConnection", { name: "Directory" }, orgId);
    const api = await call("AddAPI", { name: "API", identifier: `urn:example:${orgId}` }, orgId);
    return {
      orgId,
      humanId: String(userId),
      machine: await service.createToken({ orgId }),
      appId: (await createTestApp(service, orgId)).appId,
      apiId: String(api.id),
      scimConnectionId: String(connection.id),
      webhookId: (await createTestWebhook(service, orgId)).id,
      idpId: String((await call("AddGitHubProvider", PROVIDERS.GitHub, orgId)).id),
      instanceIdpId: String(instanceIdpId),
    };
  };
  objects = { own: await createObjects(orgs.own), other: await createObjects(orgs.other) };
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function call(rpc: Rpc, request: JsonObject, orgId: string): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request, { "x-service-orgid": orgId });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.message;
}

const callers = new Map<string, Promise<Made>>();
const remember = (key: string, create: () => Promise<Made>) => {
  const made = callers.get(key) ?? create();
  callers.set(key, made);
  return made;
};

/** A caller with the permission in the target organization, and with as few others as a role allows. */
function callerWith(permission: Requirement): Promise<Made> {
  return remember(`with ${permission}`, async () => {
    if (permission === AUTHENTICATED) return await service.createToken({ orgId: orgs.other });
    const role = ROLES.find((name) => has(name, permission));
    if (role === undefined) throw new Error(`no role has ${permission}`);
    const isOfInstance = DOCUMENTED_ROLES[role].scope === "instance";
    return await service.createToken({ orgId: orgs.own, role, ...(!isOfInstance && { scopeId: orgs.other }) });
  });
}

/** A caller with all roles that lack the permission, and that has it in another organization. */
function callerWithout(permission: Requirement): Promise<Made> {
  return remember(`without ${permission}`, async () => {
    const made = await service.createToken({ orgId: orgs.own, role: "ORG_OWNER" });
    const lacking = permission === AUTHENTICATED ? [] : ROLES.filter((name) => !has(name, permission));
    for (const role of lacking) {
      const scopeId = DOCUMENTED_ROLES[role].scope === "instance" ? service.instanceId : orgs.other;
      const user = { id: made.userId, orgId: orgs.own };
      await grantRole({ db: service.db, clock: () => new Date() }, { user, role, scopeId });
    }
    return made;
  });
}

const headersOf = ({ token }: Made) => ({ authorization: `Bearer ${token}`, "x-service-orgid": orgs.other });

async function expectDenied(rpc: Rpc, request: JsonObject): Promise<void> {
  const permission = permissionOf(rpc);
  const headers = headersOf(await callerWithout(permission));
  let denied: Outcome | undefined;
  const send = async () => {
    denied = await caller.call(rpc, request, headers);
    return denied;
  };
  await expectError(service.db, "grpc", send, "PERMISSION_DENIED");
  if (permission !== AUTHENTICATED) expect(denied).toMatchObject({ metadata: { permission } });
}

test.each(READ_RPCS)("%s is permitted with the permission in docs/reference, and denied without it", async (rpc) => {
  const request = readRequestOf(rpc, objects.other);
  await expectDenied(rpc, request);
  // A call that changes nothing ignores the key, even one that is not valid.
  const headers = { ...headersOf(await callerWith(permissionOf(rpc))), "idempotency-key": "not valid" };
  const outcome = await caller.call(rpc, request, headers);
  expect(outcome).toMatchObject({ ok: true });
});

test.each(["CheckWebhook", "CheckProvider", "AdminService.CheckProvider"] as const)(
  "%s sends requests to another server, so a viewer may not call it",
  async (rpc) => {
    const viewer = await service.createToken({ orgId: orgs.other, role: "INSTANCE_VIEWER" });
    const send = () => caller.call(rpc, readRequestOf(rpc, objects.other), headersOf(viewer));
    await expectError(service.db, "grpc", send, "PERMISSION_DENIED");
  },
);

test("every RPC that reads has the same response over each protocol", async () => {
  const different: unknown[] = [];
  const clients = PROTOCOLS.map((protocol) => createCaller(protocol, service, service.adminToken));
  // Each test event of a webhook has its own id, time and signature.
  for (const rpc of READ_RPCS.filter((rpc) => rpc !== "CheckWebhook")) {
    const responses: JsonObject[] = [];
    // The client of gRPC shows the content of an event in another form.
    for (const client of rpc.endsWith("ListEvents") ? clients.slice(1) : clients) {
      const outcome = await client.call(rpc, readRequestOf(rpc, objects.other), { "x-service-orgid": orgs.other });
      if (!outcome.ok) throw new Error(`${rpc}: ${outcome.message}`);
      // The time of the response differs, and the link to the preview of a branding.
      const text = JSON.stringify(outcome.message).replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"time"');
      responses.push(JSON.parse(text.replace(/\?link=[^"]*/g, "")));
    }
    if (responses.some((response) => !isDeepStrictEqual(response, responses[0]))) different.push([rpc, ...responses]);
  }
  for (const client of clients) client.close();
  expect(different).toEqual([]);
});

test("a user of another organization is not found", async () => {
  for (const rpc of ["GetUserByID", "ListUserChanges", "ListHumanPasswordless", "ListHumanLinkedIDPs"] as const) {
    const send = () => caller.call(rpc, readRequestOf(rpc, objects.own), { "x-service-orgid": orgs.other });
    await expectError(service.db, "grpc", send, "USER_NOT_FOUND");
  }
});

test.each(WRITE_RPCS)("%s is permitted with the permission in docs/reference, and denied without it", async (rpc) => {
  const target = { orgId: orgs.other, humanId: objects.other.humanId };
  await expectDenied(rpc, await writeRequestOf(rpc, { ...target, succeeds: false }));
  const request = await writeRequestOf(rpc, { ...target, succeeds: true });
  const made = await callerWith(permissionOf(rpc));
  const send = () => caller.call(rpc, request, headersOf(made));
  // The other calls need their organization, so the request does not have its name.
  if (rpc === "RemoveOrg") return await expectError(service.db, "grpc", send, "INVALID_ARGUMENT", ["confirmName"]);
  const outcome = await send();
  expect(outcome).toMatchObject({ ok: true });
  const resourceOwner = ownerAfter(rpc, request, outcome.ok ? outcome.message : {});
  expect(outcome.ok && detailsOf(outcome.message)).toMatchObject({ resourceOwner });
  const { editor_id } = await service.db
    .selectFrom("events")
    .select("editor_id")
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(editor_id).toBe(made.userId);
  if (rpc === "DeactivateOrg") await service.db.updateTable("orgs").set({ state: "active" }).execute();
});

/** The owner of what a call changes. An organization owns itself. */
function ownerAfter(rpc: WriteRpc, request: JsonObject, response: JsonObject): unknown {
  if (rpc === "AddOrg" || rpc === "SetUpOrg") return response.id ?? response.orgId;
  if (rpc === "AdminService.RemoveOrg") return request.orgId;
  return isAdmin(rpc) ? service.instanceId : orgs.other;
}

/** The reason for which the stream ends; undefined if it has a first response. */
async function watch(method: (typeof STREAMS)[number], headers: Record<string, string>): Promise<string | undefined> {
  const control = new AbortController();
  const transport = createGrpcTransport({ baseUrl: service.origin });
  const client = createClient(method.parent as typeof AdminService, transport);
  const responses = client.watchEvents({}, { headers, signal: control.signal })[Symbol.asyncIterator]();
  try {
    expect(await responses.next()).toMatchObject({ done: false });
    return undefined;
  } catch (error) {
    const [info] = ConnectError.from(error).findDetails(ErrorInfoSchema);
    return info?.reason ?? String(error);
  } finally {
    control.abort();
  }
}

test.each(STREAMS)(
  "$parent.name.WatchEvents is permitted with its permission, and denied without it",
  async (method) => {
    const permission = documentedPermission(`${method.parent.name}.${method.name}`);
    expect(await watch(method, headersOf(await callerWith(permission)))).toBeUndefined();
    expect(await watch(method, headersOf(await callerWithout(permission)))).toBe("PERMISSION_DENIED");
    expect(await watch(method, {})).toBe("TOKEN_MISSING");
  },
);

test("every RPC with a stream has been watched", () => {
  const methods = [AdminService, ManagementService, AuthService].flatMap(({ methods: all }) => [...all]);
  expect(methods.filter(({ methodKind }) => methodKind !== "unary")).toEqual(STREAMS);
});
