import { type DescMethod, type DescService, fromJson, type JsonObject, type Message } from "@bufbuild/protobuf";
import { type CallOptions, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createServerTransport } from "@zitadel/client/node";
import { AdminService as PublishedAdmin } from "@zitadel/proto/zitadel/admin_pb";
import { AuthService as PublishedAuth } from "@zitadel/proto/zitadel/auth_pb";
import { ManagementService as PublishedManagement } from "@zitadel/proto/zitadel/management_pb";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { type ReadObjects, readRequestOf } from "../access/read-requests.ts";
import { createWriteRequests } from "../access/write-requests.ts";
import {
  createCaller,
  methodOf,
  READ_RPCS,
  type ReadRpc,
  type Rpc,
  WRITE_RPCS,
  type WriteRpc,
} from "../support/clients/callers.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP, PASSWORD } from "../support/clients/requests.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createTestWebhook } from "../support/webhooks/webhook.ts";

const PUBLISHED = new Map<DescService, DescService>([
  [AdminService, PublishedAdmin],
  [ManagementService, PublishedManagement],
  [AuthService, PublishedAuth],
]);

/** Every call of Signet that the published client has. */
const CALLS = ([...READ_RPCS, ...WRITE_RPCS] as Rpc[]).flatMap((rpc) => {
  const { parent, name } = methodOf(rpc);
  const service = PUBLISHED.get(parent);
  const method = service?.methods.find((other) => other.name === name);
  return service === undefined || method?.methodKind !== "unary" ? [] : [{ rpc, service, method }];
});

/** The responses have details, as those of every change, which the published ones lack. */
const WITHOUT_DETAILS: readonly Rpc[] = ["RemoveOrgIDP", "GenerateOrgDomainValidation"];

/** Calls with a required field that only Signet has: the name of the organization that is removed. */
const REFUSED: readonly Rpc[] = ["RemoveOrg", "AdminService.RemoveOrg"];

let service: TestService;
let objects: ReadObjects;
let writeRequestOf: ReturnType<typeof createWriteRequests>;
let transport: ReturnType<typeof createServerTransport>;

beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  for (const secret of [BCRYPT, CLIENT_SECRET, PASSWORD]) service.secret(secret);
  transport = createServerTransport(service.adminToken, { baseUrl: service.origin });
  const orgId = await service.createOrg("Acme");
  const caller = createCaller("rest", service, service.adminToken);
  const call = async (rpc: Rpc, request: JsonObject): Promise<JsonObject> => {
    const outcome = await caller.call(rpc, request, { "x-service-orgid": orgId });
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.message;
  };
  const { userId } = await call("ImportHumanUser", { userName: "ada", ...HUMAN });
  await call("SetUserMetadata", { id: String(userId), key: "plan", value: "Z29sZA==" });
  const { idpId: instanceIdpId } = await call("AddOIDCIDP", IDP);
  const { idpId } = await call("AddOrgOIDCIDP", IDP);
  const { id: apiId } = await call("AddAPI", { name: "Orders", identifier: "urn:example:orders" });
  objects = {
    orgId,
    humanId: String(userId),
    machine: await service.createToken({ orgId }),
    appId: (await createTestApp(service, orgId)).appId,
    apiId: String(apiId),
    // No published call reads one.
    scimConnectionId: "",
    webhookId: (await createTestWebhook(service, orgId)).id,
    idpId: String(idpId),
    instanceIdpId: String(instanceIdpId),
  };
  writeRequestOf = createWriteRequests(service, String(instanceIdpId));
  caller.close();
});
afterAll(() => service?.close());

interface Details {
  readonly details?: { readonly resourceOwner: string };
}

const isRead = (rpc: Rpc): rpc is ReadRpc => (READ_RPCS as readonly Rpc[]).includes(rpc);

async function requestOf(rpc: Rpc): Promise<JsonObject> {
  if (isRead(rpc)) return readRequestOf(rpc, objects);
  return await writeRequestOf(rpc as WriteRpc, { orgId: objects.orgId, humanId: objects.humanId, succeeds: true });
}

/** Calls with a request of the published client, which lacks the fields that only Signet has. */
async function send(published: DescService, method: DescMethod, json: JsonObject): Promise<Message> {
  const request = fromJson(method.input, json, { ignoreUnknownFields: true });
  type Send = (request: Message, options: CallOptions) => Promise<Message>;
  const client = createClient(published, transport) as unknown as Readonly<Record<string, Send>>;
  // The header of the published API.
  const response = await client[method.localName]?.(request, { headers: { "x-zitadel-orgid": objects.orgId } });
  if (response === undefined) throw new Error(`the client has no method ${method.localName}`);
  return response;
}

test("the published client has most calls, in all three services", () => {
  expect(new Set(CALLS.map(({ service }) => service))).toEqual(new Set(PUBLISHED.values()));
  expect(CALLS.map(({ rpc }) => rpc)).toEqual(
    expect.arrayContaining([
      ...(["GetMyUser", "AddOrg", "SetUpOrg", "ListOrgChanges", "IsOrgUnique", "AddMachineUser"] as const),
      ...(["AddPersonalAccessToken", "ListHumanAuthFactors", "BulkSetUserMetadata", "ListUserMetadata"] as const),
      ...(["ListIAMMembers", "AddIAMMember", "AdminService.ListEvents", "UpdateUserName"] as const),
    ]),
  );
});

test("the published client calls each of them", async () => {
  const problems: string[] = [];
  for (const { rpc, service: published, method } of CALLS.filter((call) => !REFUSED.includes(call.rpc))) {
    const problem = await problemOf(rpc, published, method).catch(String);
    if (problem !== undefined) problems.push(`${rpc}: ${problem}`);
    await service.db.updateTable("orgs").set({ state: "active" }).execute();
  }
  expect(problems).toEqual([]);
});

async function problemOf(rpc: Rpc, published: DescService, method: DescMethod): Promise<string | undefined> {
  const json = await requestOf(rpc);
  const { $typeName, $unknown = [], details }: Message & Details = await send(published, method, json);
  if ($typeName !== method.output.typeName) return `returns ${$typeName}`;
  if (WITHOUT_DETAILS.includes(rpc)) return;
  // A field that its message lacks has a number from 100 on: it is one of Signet's own.
  const unknown = $unknown.filter(({ no }) => no < 100);
  if (unknown.length > 0) return `has the unknown field ${unknown[0]?.no}`;
  return isRead(rpc) || /^[\da-f-]{36}$/.test(details?.resourceOwner ?? "") ? undefined : "has no resource owner";
}

test.each(CALLS.filter(({ rpc }) => REFUSED.includes(rpc)))(
  "$rpc of the published client is refused, because it does not give the name",
  async ({ rpc, service: published, method }) => {
    const json = await requestOf(rpc);
    const error = await send(published, method, json).catch(ConnectError.from);
    expect(error).toBeInstanceOf(ConnectError);
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: expect.stringMatching(/^confirmName: /) });
  },
);
