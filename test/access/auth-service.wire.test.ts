import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { ROLES } from "../../src/roles.ts";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { BCRYPT, HUMAN } from "../support/clients/requests.ts";
import { createAccessToken, createRelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let caller: Caller;
let orgs: { own: string; other: string };
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  caller = createCaller("grpc", service, service.adminToken);
  orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const messageOf = (outcome: Outcome): JsonObject => {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};
const callAs = (token: string, orgId?: string) => async (rpc: Rpc, request: JsonObject) => {
  const headers = { authorization: `Bearer ${token}`, ...(orgId !== undefined && { "x-service-orgid": orgId }) };
  return await caller.call(rpc, request, headers);
};

async function newPerson(): Promise<string> {
  const userName = `ada-${randomUUID()}`;
  const human = await caller.call("ImportHumanUser", { userName, ...HUMAN }, { "x-service-orgid": orgs.own });
  return String(messageOf(human).userId);
}

test("a token without a role gets its user, no membership and no permission", async () => {
  const { token, userId } = await service.createToken({ orgId: orgs.own });
  const call = callAs(token);
  const { user, lastLogin } = messageOf(await call("GetMyUser", {}));
  expect(user).toMatchObject({ id: userId, state: "USER_STATE_ACTIVE", details: { resourceOwner: orgs.own } });
  expect(lastLogin ?? null).toBeNull();
  const { result = [], details } = messageOf(await call("ListMyMemberships", {}));
  expect(result).toEqual([]);
  expect((details as JsonObject).totalResult ?? "0").toBe("0");
  expect(messageOf(await call("ListMyPermissions", {})).result ?? []).toEqual([]);
  // The own organization can be named; others cannot, whether they exist or not.
  expect(await callAs(token, orgs.own)("GetMyUser", {})).toMatchObject({ ok: true });
  for (const rpc of ["GetMyUser", "ListMyMemberships", "ListMyPermissions"] as const) {
    for (const orgId of [orgs.other, randomUUID(), "default", service.instanceId]) {
      await expectError(service.db, "grpc", () => callAs(token, orgId)(rpc, {}), "PERMISSION_DENIED");
    }
  }
});

test("a person who has signed in gets the time of the last sign-in", async () => {
  const userId = await newPerson();
  const app = await createRelyingParty(service, { owner_id: service.instanceId, api_access: true });
  const token = service.secret(await createAccessToken(service, app, userId));
  const at = new Date("2026-11-24T10:00:00Z");
  await service.db.updateTable("users").set({ last_signed_in_at: at }).where("id", "=", userId).execute();
  const { user, lastLogin } = messageOf(await callAs(token)("GetMyUser", {}));
  expect(user).toMatchObject({ id: userId, human: { profile: { firstName: "Ada" } } });
  expect(lastLogin).toBe("2026-11-24T10:00:00Z");
});

test("memberships are listed with their roles and permissions, and the permissions are those of the organization", async () => {
  const { token, userId } = await service.createToken({ orgId: orgs.own, role: "ORG_VIEWER" });
  await service.db
    .insertInto("members")
    .values([
      {
        user_org_id: orgs.own,
        user_id: userId,
        scope_id: service.instanceId,
        role: "INSTANCE_VIEWER",
        created_at: new Date("2026-11-24T10:00:02Z"),
        sequence: 2n,
        changed_at: new Date("2026-11-24T10:00:02Z"),
      },
      {
        user_org_id: orgs.own,
        user_id: userId,
        scope_id: orgs.other,
        role: "ORG_USER_MANAGER",
        created_at: new Date("2026-11-24T10:00:01Z"),
        sequence: 3n,
        changed_at: new Date("2026-11-24T10:00:03Z"),
      },
    ])
    .execute();
  const call = callAs(token);
  const other = {
    userId,
    roles: ["ORG_USER_MANAGER"],
    displayName: "Other",
    orgId: orgs.other,
    permissions: [...ROLES.ORG_USER_MANAGER.permissions],
    details: {
      sequence: "3",
      creationDate: "2026-11-24T10:00:01Z",
      changeDate: "2026-11-24T10:00:03Z",
      resourceOwner: orgs.other,
    },
  };
  const instance = { roles: ["INSTANCE_VIEWER"], iam: true, permissions: [...ROLES.INSTANCE_VIEWER.permissions] };
  const own = { roles: ["ORG_VIEWER"], orgId: orgs.own };
  const list = async (queries: JsonObject[], query: JsonObject = { asc: true }) =>
    messageOf(await call("ListMyMemberships", { query, queries })).result ?? [];
  const all = await list([]);
  expect(all).toMatchObject([other, instance, own]);
  expect(await list([{ orgQuery: { orgId: orgs.other.toUpperCase() } }])).toEqual([(all as JsonObject[])[0]]);
  expect(await list([{ orgQuery: { orgId: service.instanceId } }])).toEqual([]);
  expect(await list([{ orgQuery: { orgId: "no id" } }])).toEqual([]);
  expect(await list([{ iamQuery: { iam: true } }])).toEqual([(all as JsonObject[])[1]]);
  expect(await list([{ iamQuery: {} }])).toEqual([(all as JsonObject[])[0], (all as JsonObject[])[2]]);
  const { details, result } = messageOf(await call("ListMyMemberships", { query: { asc: true, limit: 2 } }));
  expect(result).toHaveLength(2);
  const pageToken = String((details as JsonObject).nextPageToken);
  expect(await list([], { asc: true, limit: 2, pageToken })).toEqual([(all as JsonObject[])[2]]);
  await expectError(service.db, "grpc", () => call("ListMyMemberships", { queries: [{}] }), "INVALID_ARGUMENT", [
    "queries[0]",
  ]);

  const permissions = async (orgId?: string) =>
    messageOf(await callAs(token, orgId)("ListMyPermissions", {})).result ?? [];
  const both = (role: "ORG_VIEWER" | "ORG_USER_MANAGER") =>
    new Set<string>([...ROLES.INSTANCE_VIEWER.permissions, ...ROLES[role].permissions]);
  expect(new Set((await permissions()) as string[])).toEqual(both("ORG_VIEWER"));
  expect(new Set((await permissions(orgs.other)) as string[])).toEqual(both("ORG_USER_MANAGER"));
  // A role in the instance applies to every organization.
  expect(await permissions(service.orgId)).toEqual([...ROLES.INSTANCE_VIEWER.permissions]);
  await expectError(service.db, "grpc", () => callAs(token, randomUUID())("ListMyPermissions", {}), "ORG_NOT_FOUND");
});

test("a membership in a removed organization is not listed", async () => {
  const name = "Removed";
  const orgId = await service.createOrg(name);
  const { token } = await service.createToken({ orgId: orgs.own, role: "ORG_VIEWER", scopeId: orgId });
  const list = async () => (messageOf(await callAs(token)("ListMyMemberships", {})).result ?? []) as JsonObject[];
  expect(await list()).toMatchObject([{ orgId }]);
  messageOf(await caller.call("AdminService.RemoveOrg", { orgId, confirmName: name }));
  expect(await list()).toEqual([]);
});

test("the application of an organization learns nothing about roles outside of it", async () => {
  const userId = await newPerson();
  const member = {
    user_org_id: orgs.own,
    user_id: userId,
    created_at: new Date(0),
    sequence: 1n,
    changed_at: new Date(0),
  };
  await service.db
    .insertInto("members")
    .values([
      { ...member, scope_id: service.instanceId, role: "INSTANCE_OWNER" },
      { ...member, scope_id: orgs.own, role: "ORG_VIEWER" },
      { ...member, scope_id: orgs.other, role: "ORG_OWNER" },
    ])
    .execute();
  const scopesOf = async (ownerId: string) => {
    const app = await createRelyingParty(service, { owner_id: ownerId, api_access: true });
    const call = callAs(service.secret(await createAccessToken(service, app, userId)));
    const { result = [] } = messageOf(await call("ListMyMemberships", {}));
    const { result: permissions = [] } = messageOf(await call("ListMyPermissions", {}));
    const scopes = (result as JsonObject[]).map(({ orgId }) => orgId || "instance");
    return [scopes.sort(), (permissions as string[]).includes("iam.read")];
  };
  expect(await scopesOf(service.instanceId)).toEqual([["instance", orgs.own, orgs.other].sort(), true]);
  expect(await scopesOf(orgs.own)).toEqual([[orgs.own], false]);
});

test("a call without a valid token is rejected", async () => {
  const revoked = await service.createToken({ orgId: orgs.own });
  await service.db.updateTable("tokens").set({ revoked_at: new Date() }).where("id", "=", revoked.id).execute();
  for (const rpc of ["GetMyUser", "ListMyMemberships", "ListMyPermissions"] as const) {
    await expectError(service.db, "grpc", () => callAs(revoked.token)(rpc, {}), "TOKEN_INVALID");
  }
});
