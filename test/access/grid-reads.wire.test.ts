import { randomUUID } from "node:crypto";
import { getOption, type JsonObject } from "@bufbuild/protobuf";
import { permission } from "../../gen/signet/v1/options_pb.js";
import { ROLES, type Role } from "../../src/roles.ts";
import { type Caller, createCaller, methodOf, READ_RPCS, type ReadRpc } from "../support/clients/callers.ts";
import { type ErrorReason, expectError } from "../support/clients/errors.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP } from "../support/clients/requests.ts";
import { MESSAGE_TEXT } from "../support/message-text.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { createAccessToken, createRelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createTestWebhook } from "../support/webhooks/webhook.ts";

const OUTCOMES: Readonly<Record<string, ErrorReason | undefined>> = {
  "+": undefined,
  p: "PERMISSION_DENIED",
  o: "ORG_NOT_FOUND",
};

/** The columns of the grid: what the organization header contains. */
const ORGS = ["no header", "own", "other", "unknown", "no id"] as const;

/** The result of each permission for each role in the instance or in the caller's organization. */
const GRID: Readonly<Record<Role | "no role", Readonly<Record<ReadPermission, string>>>> = {
  INSTANCE_OWNER: row("+++++", "+++oo"),
  INSTANCE_USER_MANAGER: { ...row("ppppp", "ppppp", "+++oo"), "org.read": "+++oo", "user.read": "+++oo" },
  INSTANCE_VIEWER: row("+++++", "+++oo"),
  ORG_OWNER: row("ppppp", "++ppp"),
  ORG_SETTINGS_MANAGER: {
    ...row("ppppp", "++ppp"),
    "org.hook.read": "ppppp",
    "org.member.read": "ppppp",
    "user.read": "ppppp",
  },
  ORG_USER_MANAGER: { ...row("ppppp", "ppppp", "++ppp"), "org.read": "++ppp", "user.read": "++ppp" },
  ORG_VIEWER: { ...row("ppppp", "++ppp"), "org.hook.read": "ppppp", "org.member.read": "ppppp" },
  "no role": row("ppppp", "ppppp", "++ppp"),
};

type ReadPermission = keyof ReturnType<typeof row>;

function row(instance: string, org: string, any = org) {
  return {
    "iam.read": instance,
    "iam.idp.read": instance,
    "iam.org.read": instance,
    "iam.member.read": instance,
    "iam.policy.read": instance,
    "org.read": org,
    "org.idp.read": org,
    "org.app.read": org,
    "org.hook.read": org,
    "org.member.read": org,
    "policy.read": org,
    "user.read": org,
    "authenticated.read": any,
  };
}

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
    const addIdp = async (rpc: "AddOIDCIDP" | "AddOrgOIDCIDP", orgId: string) => {
      const headers = { authorization: `Bearer ${service.adminToken}`, "x-service-orgid": orgId };
      const outcome = await caller.call(rpc, IDP, headers);
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.idpId);
    };
    idps = {
      instance: await addIdp("AddOIDCIDP", orgs.own),
      own: await addIdp("AddOrgOIDCIDP", orgs.own),
      other: await addIdp("AddOrgOIDCIDP", orgs.other),
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

  const requestOf = (rpc: ReadRpc, org: "own" | "other"): JsonObject => {
    switch (rpc) {
      case "GetMyUser":
      case "ListMyMemberships":
      case "ListMyPermissions":
      case "GetMyOrg":
      case "ListOrgChanges":
      case "GetLabelPolicy":
      case "GetPreviewLabelPolicy":
      case "AdminService.GetLabelPolicy":
      case "AdminService.GetPreviewLabelPolicy":
      case "ListOrgDomains":
      case "ListEvents":
      case "AdminService.ListEvents":
      case "ListOrgs":
      case "ListUsers":
      case "ListIDPs":
      case "ListOrgIDPs":
      case "ListOrgMembers":
      case "ListIAMMembers":
      case "ListProviders":
      case "AdminService.ListProviders":
      case "GetLoginPolicy":
      case "AdminService.GetLoginPolicy":
      case "ListWebhooks":
        return {};
      case "ListWebhookDeliveries":
        return { id: webhooks[org] };
      case "GetIDPByID":
      case "AdminService.GetProviderByID":
        return { id: idps.instance };
      case "GetOrgIDPByID":
      case "GetProviderByID":
        return { id: idps[org] };
      case "ListApps":
      case "ListUserAppRoles":
      case "ListAPIs":
        return {};
      case "GetAppByID":
        return { appId: apps[org] };
      case "GetAPIByID":
        return { id: apis[org] };
      case "GetOrgByID":
        return { id: orgs[org] };
      case "GetUserByID":
        return { id: humans[org] };
      case "IsOrgUnique":
        return { name: "Own" };
      case "IsUserUnique":
        return { userName: "ada" };
      case "ListUserMetadata":
        return { id: humans[org] };
      case "GetUserMetadata":
        return { id: humans[org], key: "plan" };
      case "ListPersonalAccessTokens":
        return { userId: machines[org].userId };
      case "GetPersonalAccessTokenByIDs":
        return { userId: machines[org].userId, tokenId: machines[org].id };
      case "ListHumanAuthFactors":
      case "ListUserSessions":
      case "ListUserChanges":
      case "ListHumanPasswordless":
      case "ListHumanLinkedIDPs":
        return { userId: humans[org] };
      case "ListCustomMessageTexts":
      case "ListDefaultMessageTexts":
      case "ListCustomPageTexts":
      case "ListDefaultPageTexts":
        return { language: "en" };
      case "GetPreviewCustomMessageText":
      case "GetPreviewDefaultMessageText":
        return MESSAGE_TEXT;
      default:
        return rpc satisfies never;
    }
  };

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

  test("a user of another organization is not found", async () => {
    for (const rpc of ["GetUserByID", "ListUserChanges", "ListHumanPasswordless", "ListHumanLinkedIDPs"] as const) {
      const headers = { authorization: `Bearer ${tokens.INSTANCE_OWNER}`, "x-service-orgid": orgs.own };
      await expectError(service.db, form, () => caller.call(rpc, requestOf(rpc, "other"), headers), "USER_NOT_FOUND");
    }
  });
});
