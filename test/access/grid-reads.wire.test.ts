import { randomUUID } from "node:crypto";
import { getOption } from "@bufbuild/protobuf";
import { permission } from "../../gen/signet/v1/options_pb.js";
import { ROLES, type Role } from "../../src/roles.ts";
import { PROVIDERS } from "../idps/provider-requests.ts";
import { type Caller, createCaller, methodOf, PROTOCOLS, READ_RPCS, type ReadRpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN } from "../support/clients/requests.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { createAccessToken, createRelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createTestPasswordHook } from "../support/webhooks/password-hook.ts";
import { createTestWebhook } from "../support/webhooks/webhook.ts";
import { GRID, ORGS, OUTCOMES, type ReadPermission } from "./read-grid.ts";
import { readRequestOf } from "./read-requests.ts";

const ROWS = (Object.keys(GRID) as (keyof typeof GRID)[]).flatMap((role) =>
  READ_RPCS.flatMap((rpc) => {
    const cells = GRID[role][getOption(methodOf(rpc), permission) as ReadPermission];
    return cells === undefined ? [] : [{ role, rpc, cells }];
  }),
);

describe.each([
  { kind: "postgres", form: "grpc", rows: ROWS, token: "personal access token" },
  { kind: "postgres", form: "grpc", rows: ROWS, token: "access token of a sign-in" },
  {
    kind: "embedded",
    form: "rest",
    rows: ROWS.filter(({ role }) => role === "ORG_VIEWER"),
    token: "personal access token",
  },
] as const)("on $kind over $form with a $token", ({ kind, form, rows, token }) => {
  let service: TestService;
  let caller: Caller;
  let orgs: { own: string; other: string };
  let tokens: Record<string, string>;
  let humans: { own: string; other: string };
  let idps: { instance: string; own: string; other: string };
  let machines: Record<"own" | "other", { id: string; userId: string }>;
  let apps: { own: string; other: string };
  let webhooks: { own: string; other: string };
  let apis: { own: string; other: string };

  beforeAll(async () => {
    service = await startService(kind);
    service.secret(BCRYPT);
    service.secret(CLIENT_SECRET);
    caller = createCaller(form, service, undefined);
    orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
    const app = await createRelyingParty(service, { owner_id: service.instanceId, api_access: true });
    tokens = {};
    for (const role of [...(Object.keys(ROLES) as Role[]), "no role"] as const) {
      const made = await service.createToken({ orgId: orgs.own, ...(role !== "no role" && { role }) });
      tokens[role] =
        token === "personal access token" ? made.token : await createAccessToken(service, app, made.userId);
    }
    const importInto = async (orgId: string) => {
      const headers = { authorization: `Bearer ${service.adminToken}`, "x-service-orgid": orgId };
      const outcome = await caller.call("ImportHumanUser", { userName: "ada", ...HUMAN }, headers);
      if (!outcome.ok) throw new Error(outcome.message);
      const userId = String(outcome.message.userId);
      await caller.call("SetUserMetadata", { id: userId, key: "plan", value: "Z29sZA==" }, headers);
      return userId;
    };
    const addTo = async (orgId: string) => (await createTestApp(service, orgId)).appId;
    apps = { own: await addTo(orgs.own), other: await addTo(orgs.other) };
    webhooks = {
      own: (await createTestWebhook(service, orgs.own)).id,
      other: (await createTestWebhook(service, orgs.other)).id,
    };
    for (const id of [orgs.own, orgs.other]) await createTestPasswordHook(service, id, "https://legacy.example.com/");
    const addApiTo = async (orgId: string) => {
      const headers = { authorization: `Bearer ${service.adminToken}`, "x-service-orgid": orgId };
      const outcome = await caller.call("AddAPI", { name: "API", identifier: `urn:example:${orgId}` }, headers);
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.id);
    };
    apis = { own: await addApiTo(orgs.own), other: await addApiTo(orgs.other) };
    machines = {
      own: await service.createToken({ orgId: orgs.own }),
      other: await service.createToken({ orgId: orgs.other }),
    };
    humans = { own: await importInto(orgs.own), other: await importInto(orgs.other) };
    // A provider without metadata, so that its check sends no requests.
    const addIdp = async (rpc: "AddGitHubProvider" | "AdminService.AddGitHubProvider", orgId: string) => {
      const headers = { authorization: `Bearer ${service.adminToken}`, "x-service-orgid": orgId };
      const outcome = await caller.call(rpc, PROVIDERS.GitHub, headers);
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.id);
    };
    idps = {
      instance: await addIdp("AdminService.AddGitHubProvider", orgs.own),
      own: await addIdp("AddGitHubProvider", orgs.own),
      other: await addIdp("AddGitHubProvider", orgs.other),
    };
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  const headerOf = (org: (typeof ORGS)[number]): Record<string, string> => {
    const ids = { "no header": undefined, ...orgs, unknown: randomUUID(), "no id": "default" };
    return ids[org] === undefined ? {} : { "x-service-orgid": ids[org] };
  };

  const requestOf = (rpc: ReadRpc, org: "own" | "other") =>
    readRequestOf(rpc, {
      orgId: orgs[org],
      humanId: humans[org],
      machine: machines[org],
      appId: apps[org],
      apiId: apis[org],
      webhookId: webhooks[org],
      idpId: idps[org],
      instanceIdpId: idps.instance,
    });

  test("every RPC that reads is in the grid", () => {
    expect(new Set(ROWS.map(({ rpc }) => rpc))).toEqual(new Set(READ_RPCS));
  });

  test.each([...rows])("$rpc with $role results in $cells", async ({ role, rpc, cells }) => {
    expect(cells).toHaveLength(ORGS.length);
    for (const [column, org] of ORGS.entries()) {
      const headers = { authorization: `Bearer ${tokens[role]}`, ...headerOf(org) };
      const call = () => caller.call(rpc, requestOf(rpc, org === "other" ? "other" : "own"), headers);
      const error = OUTCOMES[cells.charAt(column)];
      if (error !== undefined) await expectError(service.db, form, call, error);
      else expect([org, await call()]).toMatchObject([org, { ok: true }]);
    }
  });

  test.each(READ_RPCS)("%s has the same response over each protocol", async (rpc) => {
    const headers = { authorization: `Bearer ${tokens.INSTANCE_OWNER}`, "x-service-orgid": orgs.own };
    const responses: unknown[] = [];
    // The client of gRPC shows the content of an event in another form.
    for (const protocol of rpc.endsWith("ListEvents") ? PROTOCOLS.slice(1) : PROTOCOLS) {
      const own = createCaller(protocol, service, undefined);
      const outcome = await own.call(rpc, requestOf(rpc, "own"), headers);
      own.close();
      expect([protocol, outcome]).toMatchObject([protocol, { ok: true }]);
      // The time of the response differs, and the link to the preview of a branding.
      const text = JSON.stringify(outcome.ok && outcome.message)
        .replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"time"')
        .replace(/\?link=[^"]*/g, "");
      responses.push(JSON.parse(text));
    }
    for (const response of responses) expect(response).toEqual(responses[0]);
  });

  test("a user of another organization is not found", async () => {
    for (const rpc of ["GetUserByID", "ListUserChanges", "ListHumanPasswordless", "ListHumanLinkedIDPs"] as const) {
      const headers = { authorization: `Bearer ${tokens.INSTANCE_OWNER}`, "x-service-orgid": orgs.own };
      await expectError(service.db, form, () => caller.call(rpc, requestOf(rpc, "other"), headers), "USER_NOT_FOUND");
    }
  });
});
