import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { BCRYPT, HUMAN } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** The RPCs that change members, each with a valid request except for the id. */
const CHANGES = {
  AddOrgMember: { roles: ["ORG_VIEWER"] },
  UpdateOrgMember: { roles: ["ORG_VIEWER"] },
  RemoveOrgMember: {},
} as const satisfies Partial<Record<Rpc, JsonObject>>;

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const messageOf = (outcome: Outcome): JsonObject => {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};
/** An organization with a person in it. Calls of the instance owner select it by its header. */
async function newOrg() {
  const orgId = await service.createOrg(`Org ${randomUUID()}`);
  const headers = { "x-service-orgid": orgId };
  const human = messageOf(await caller.call("ImportHumanUser", { userName: "ada", ...HUMAN }, headers));
  const userId = String(human.userId);
  const call = (rpc: Rpc, request: JsonObject) => caller.call(rpc, request, headers);
  const members = async (request: JsonObject = {}) => {
    const { result = [], details } = messageOf(await call("ListOrgMembers", request));
    return { result: result as JsonObject[], details: details as JsonObject };
  };
  const events = async () =>
    (
      await service.db
        .selectFrom("events")
        .select(["sequence", "type", "payload", "editor_id", "created_at"])
        .where("aggregate_id", "=", orgId)
        .where("sequence", ">", 1n)
        .orderBy("sequence")
        .execute()
    ).map(({ type, payload, sequence, editor_id }) => [Number(sequence), type, payload, editor_id]);
  return { orgId, headers, userId, call, members, events };
}

test("members are added, changed and removed, each with its event", async () => {
  const { orgId, userId, call, members, events } = await newOrg();
  const editor = service.adminId;
  const timesOf = (outcome: Outcome) => {
    const { sequence, resourceOwner, ...times } = messageOf(outcome).details as Record<string, string>;
    expect(resourceOwner).toBe(orgId);
    return [Number(sequence), ...[times.creationDate, times.changeDate].map((time) => new Date(time ?? "").getTime())];
  };
  const roles = ["ORG_VIEWER", "ORG_USER_MANAGER", "ORG_VIEWER"];
  const [sequence, since, at] = timesOf(await call("AddOrgMember", { userId: userId.toUpperCase(), roles }));
  // One event for each role.
  expect([sequence, since]).toEqual([3, at]);
  expect((await members()).result).toMatchObject([
    {
      userId,
      roles: ["ORG_USER_MANAGER", "ORG_VIEWER"],
      details: { sequence: "3", resourceOwner: orgId },
      preferredLoginName: "ada",
      email: "ada@example.com",
      firstName: "Ada",
      lastName: "Lovelace",
      displayName: "Ada Lovelace",
      userType: "TYPE_HUMAN",
      userResourceOwner: orgId,
    },
  ]);
  await expectError(service.db, "grpc", () => call("AddOrgMember", { userId, roles }), "MEMBER_EXISTS");

  service.clockOffsetMs += 60_000;
  const same = await call("UpdateOrgMember", { userId, roles: ["ORG_VIEWER", "ORG_USER_MANAGER"] });
  expect(timesOf(same)).toEqual([3, since, at]);
  const changed = timesOf(await call("UpdateOrgMember", { userId, roles: ["ORG_VIEWER", "ORG_OWNER"] }));
  expect(changed.slice(0, 2)).toEqual([4, since]);
  expect(Number(changed[2]) - Number(at)).toBeGreaterThanOrEqual(60_000);
  expect((await members()).result).toMatchObject([{ roles: ["ORG_OWNER", "ORG_VIEWER"], details: { sequence: "4" } }]);

  const removed = timesOf(await call("RemoveOrgMember", { userId }));
  expect(removed.slice(0, 2)).toEqual([5, since]);
  expect((await members()).result).toEqual([]);
  for (const rpc of ["UpdateOrgMember", "RemoveOrgMember"] as const) {
    await expectError(service.db, "grpc", () => call(rpc, { userId, ...CHANGES[rpc] }), "MEMBER_NOT_FOUND");
  }
  expect(await events()).toEqual([
    [2, "org.member.added", { userId, userOrgId: orgId, role: "ORG_VIEWER" }, editor],
    [3, "org.member.added", { userId, userOrgId: orgId, role: "ORG_USER_MANAGER" }, editor],
    [4, "org.member.changed", { userId, roles: ["ORG_OWNER", "ORG_VIEWER"] }, editor],
    [5, "org.member.removed", { userId }, editor],
  ]);
  const { sequence: stored } = await service.db
    .selectFrom("orgs")
    .select("sequence")
    .where("id", "=", orgId)
    .executeTakeFirstOrThrow();
  expect(stored).toBe(5n);
});

test("a granted or removed role takes effect with the next call", async () => {
  const { orgId, call } = await newOrg();
  const { token, userId } = await service.createToken({ orgId });
  const list = () => caller.call("ListUsers", {}, { authorization: `Bearer ${token}` });
  await expectError(service.db, "grpc", list, "PERMISSION_DENIED");
  messageOf(await call("AddOrgMember", { userId, roles: ["ORG_VIEWER"] }));
  expect(await list()).toMatchObject({ ok: true });
  messageOf(await call("UpdateOrgMember", { userId, roles: ["ORG_SETTINGS_MANAGER"] }));
  await expectError(service.db, "grpc", list, "PERMISSION_DENIED");
  messageOf(await call("UpdateOrgMember", { userId, roles: ["ORG_OWNER"] }));
  expect(await list()).toMatchObject({ ok: true });
  messageOf(await call("RemoveOrgMember", { userId }));
  await expectError(service.db, "grpc", list, "PERMISSION_DENIED");
});

test("only users of the organization can be added", async () => {
  const [own, other] = [await newOrg(), await newOrg()];
  for (const userId of [other.userId, randomUUID(), "ada"]) {
    const add = () => own.call("AddOrgMember", { userId, roles: ["ORG_VIEWER"] });
    await expectError(service.db, "grpc", add, "USER_NOT_FOUND");
    for (const rpc of ["UpdateOrgMember", "RemoveOrgMember"] as const) {
      const send = () => own.call(rpc, { userId, ...CHANGES[rpc] });
      await expectError(service.db, "grpc", send, "MEMBER_NOT_FOUND");
      expect(await send()).toMatchObject({ metadata: { userId } });
    }
  }
});

test("roles that are not organization roles are rejected", async () => {
  const { userId, call } = await newOrg();
  for (const rpc of ["AddOrgMember", "UpdateOrgMember"] as const) {
    const rejected: [string[], string[]][] = [
      [[], ["roles"]],
      [
        ["ORG_OWNER", "INSTANCE_OWNER", "org_owner", ""],
        ["roles[1]", "roles[2]", "roles[3]"],
      ],
      [Array.from({ length: 51 }, () => "x"), ["roles"]],
    ];
    for (const [roles, fields] of rejected) {
      await expectError(service.db, "grpc", () => call(rpc, { userId, roles }), "INVALID_ARGUMENT", fields);
    }
  }
});

test("a caller cannot change its own roles, but can change the roles of other owners", async () => {
  const { orgId, members } = await newOrg();
  const [one, two] = [
    await service.createToken({ orgId, role: "ORG_OWNER" }),
    await service.createToken({ orgId, role: "ORG_OWNER" }),
  ];
  const call = (rpc: keyof typeof CHANGES, userId: string) =>
    caller.call(rpc, { userId, ...CHANGES[rpc] }, { authorization: `Bearer ${one.token}` });
  for (const rpc of ["UpdateOrgMember", "RemoveOrgMember"] as const) {
    await expectError(service.db, "grpc", () => call(rpc, one.userId.toUpperCase()), "OWN_USER");
  }
  messageOf(await call("RemoveOrgMember", two.userId));
  expect((await members()).result.map(({ userId }) => userId)).toEqual([one.userId]);
});

test("a member of another organization is listed without names, and can be changed", async () => {
  const [own, other] = [await newOrg(), await newOrg()];
  await service.db.deleteFrom("members").where("scope_id", "=", own.orgId).execute();
  const { userId } = await service.createToken({ orgId: other.orgId, role: "ORG_VIEWER", scopeId: own.orgId });
  service.clockOffsetMs += 10;
  messageOf(await own.call("AddOrgMember", { userId: own.userId, roles: ["ORG_VIEWER"] }));
  const { result, details } = await own.members({ query: { asc: true } });
  expect(details).toMatchObject({ totalResult: "2", processedSequence: "3" });
  expect(result.map((member) => member.userId)).toEqual([userId, own.userId]);
  expect(result[0]).toMatchObject({ roles: ["ORG_VIEWER"], userResourceOwner: other.orgId });
  const { preferredLoginName = "", displayName = "", email = "" } = result[0] ?? {};
  expect([preferredLoginName, displayName, email]).toEqual(["", "", ""]);
  expect((await other.members()).result).toEqual([]);
  messageOf(await own.call("UpdateOrgMember", { userId, roles: ["ORG_OWNER"] }));
  messageOf(await own.call("RemoveOrgMember", { userId }));
  expect((await own.members()).result).toHaveLength(1);
});

test("the list finds by names, address and id, in pages", async () => {
  const { orgId, userId, headers, call, members } = await newOrg();
  const grace = messageOf(
    await caller.call(
      "ImportHumanUser",
      {
        ...HUMAN,
        userName: "grace",
        profile: { firstName: "Grace", lastName: "Hopper" },
        email: { email: "grace@example.com", isEmailVerified: true },
      },
      headers,
    ),
  );
  for (const id of [userId, String(grace.userId)]) {
    service.clockOffsetMs += 10;
    messageOf(await call("AddOrgMember", { userId: id, roles: ["ORG_VIEWER", "ORG_USER_MANAGER"] }));
  }
  const { userId: machineId } = await service.createToken({ orgId, role: "ORG_OWNER" });
  const found = async (...queries: JsonObject[]) =>
    (await members({ queries, query: { asc: true } })).result.map(({ displayName }) => displayName);
  const CONTAINS = "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE";
  expect(await found({ firstNameQuery: { firstName: "GRA", method: CONTAINS } })).toEqual(["Grace Hopper"]);
  expect(await found({ lastNameQuery: { lastName: "Lovelace" } })).toEqual(["Ada Lovelace"]);
  expect(await found({ emailQuery: { email: "%", method: CONTAINS } })).toEqual([]);
  expect(await found({ emailQuery: { email: "@example.com", method: CONTAINS } })).toHaveLength(2);
  // The maximum length of an address.
  expect(await found({ emailQuery: { email: `${"a".repeat(242)}@example.com` } })).toEqual([]);
  expect(await found({ userIdQuery: { userId: userId.toUpperCase() } })).toEqual(["Ada Lovelace"]);
  expect(await found({ userIdQuery: { userId: "ada" } })).toEqual([]);
  const first = await members({ query: { limit: 2 } });
  expect(first.result.map((member) => member.userId)).toEqual([machineId, grace.userId]);
  expect(first.result[0]).toMatchObject({
    userType: "TYPE_MACHINE",
    displayName: first.result[0]?.preferredLoginName,
  });
  const { nextPageToken = "" } = first.details as { nextPageToken?: string };
  expect((await members({ query: { pageToken: nextPageToken } })).result.map((member) => member.userId)).toEqual([
    userId,
  ]);
  await expectError(service.db, "grpc", () => call("ListOrgMembers", { queries: [{}] }), "INVALID_ARGUMENT", [
    "queries[0]",
  ]);
});

test("concurrent changes result in one set of roles, and sequences without gaps", async () => {
  const { orgId, userId, call, members, events } = await newOrg();
  const roles = ["ORG_OWNER", "ORG_VIEWER", "ORG_USER_MANAGER", "ORG_SETTINGS_MANAGER"];
  const adds = await Promise.all(roles.map((role) => call("AddOrgMember", { userId, roles: [role] })));
  expect(adds.filter(({ ok }) => ok)).toHaveLength(1);
  // Granted as if by other processes.
  const tokens = await Promise.all(roles.map(() => service.createToken({ orgId, role: "ORG_VIEWER" })));
  const outcomes = await Promise.all([
    ...roles.flatMap((role, n) => [
      call("UpdateOrgMember", { userId, roles: [role] }),
      call("UpdateOrgMember", { userId: tokens[n]?.userId ?? "", roles: [role, "ORG_VIEWER"] }),
    ]),
  ]);
  for (const outcome of outcomes) messageOf(outcome);
  const { result } = await members({ queries: [{ userIdQuery: { userId } }] });
  expect(result).toMatchObject([{ roles: [expect.anything()] }]);
  const recorded = await events();
  expect(recorded.map(([sequence]) => sequence)).toEqual(recorded.map((_, index) => index + 2));
  const last = recorded.findLast(
    ([, type, payload]) => type === "org.member.changed" && (payload as { userId: string }).userId === userId,
  );
  if (last) expect((last[2] as { roles: string[] }).roles).toEqual(result[0]?.roles);
});
