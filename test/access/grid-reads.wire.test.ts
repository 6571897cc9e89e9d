import { randomUUID } from "node:crypto";
import { getOption, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { permission } from "../../gen/signet/v1/options_pb.js";
import { ROLES, type Role } from "../../src/access/roles.ts";
import { createTestApp } from "../support/apps.ts";
import { type Caller, createCaller, READ_RPCS, type ReadRpc } from "../support/callers.ts";
import { type ErrorReason, expectError } from "../support/errors.ts";
import { createAccessToken, createRelyingParty } from "../support/relying-party.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP } from "../support/requests.ts";
import { startService, type TestService } from "../support/service.ts";

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
  INSTANCE_USER_MANAGER: { ...row("ppppp", "ppppp"), "org.read": "+++oo", "user.read": "+++oo" },
  INSTANCE_VIEWER: row("+++++", "+++oo"),
  ORG_OWNER: row("ppppp", "++ppp"),
  ORG_SETTINGS_MANAGER: { ...row("ppppp", "++ppp"), "org.member.read": "ppppp", "user.read": "ppppp" },
  ORG_USER_MANAGER: { ...row("ppppp", "ppppp"), "org.read": "++ppp", "user.read": "++ppp" },
  ORG_VIEWER: { ...row("ppppp", "++ppp"), "org.member.read": "ppppp" },
  "no role": row("ppppp", "ppppp"),
};

type ReadPermission = keyof ReturnType<typeof row>;

function row(instance: string, org: string) {
  return {
    "iam.read": instance,
    "iam.idp.read": instance,
    "org.read": org,
    "org.idp.read": org,
    "org.app.read": org,
    "org.member.read": org,
    "user.read": org,
  };
}

const METHODS = [...AdminService.methods, ...ManagementService.methods];
const ROWS = (Object.keys(GRID) as (keyof typeof GRID)[]).flatMap((role) =>
  READ_RPCS.flatMap((rpc) => {
    const method = METHODS.find(({ name }) => name === rpc);
    const cells = method && GRID[role][getOption(method, permission) as ReadPermission];
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
  let apps: { own: string; other: string };

  beforeAll(async () => {
    service = await startService(kind);
    service.secret(BCRYPT);
    service.secret(CLIENT_SECRET);
    caller = createCaller(form, service, undefined);
    orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
    const app = await createRelyingParty(service, { owner_id: service.instanceId });
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
      return String(outcome.message.userId);
    };
    const addTo = async (orgId: string) => (await createTestApp(service, orgId)).appId;
    apps = { own: await addTo(orgs.own), other: await addTo(orgs.other) };
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
      case "GetMyOrg":
      case "ListOrgs":
      case "ListUsers":
      case "ListIDPs":
      case "ListOrgIDPs":
      case "ListOrgMembers":
        return {};
      case "GetIDPByID":
        return { id: idps.instance };
      case "GetOrgIDPByID":
        return { id: idps[org] };
      case "ListApps":
        return {};
      case "GetAppByID":
        return { appId: apps[org] };
      case "GetOrgByID":
        return { id: orgs[org] };
      case "GetUserByID":
        return { id: humans[org] };
      case "IsUserUnique":
        return { userName: "ada" };
      case "ListUserChanges":
      case "ListHumanPasswordless":
      case "ListHumanLinkedIDPs":
        return { userId: humans[org] };
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
