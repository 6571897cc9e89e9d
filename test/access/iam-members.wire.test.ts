import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { BCRYPT, HUMAN } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const messageOf = (outcome: Outcome): JsonObject => {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};

let service: TestService;
let caller: Caller;
let orgId: string;
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  caller = createCaller("grpc", service, service.adminToken);
  orgId = await service.createOrg("Own");
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const list = async (request: JsonObject = {}) =>
  (messageOf(await caller.call("ListIAMMembers", request)).result ?? []) as JsonObject[];
const roleOf = async (userId: string) =>
  (await list({ queries: [{ userIdQuery: { userId } }] })).map(({ roles }) => roles);
const events = async () =>
  (
    await service.db
      .selectFrom("events")
      .select(["type", "payload", "editor_id"])
      .where("aggregate_id", "=", service.instanceId)
      .orderBy("sequence", "desc")
      .limit(1)
      .execute()
  ).map(({ type, payload, editor_id }) => [type, payload, editor_id]);
async function newPerson(userName: string) {
  const human = messageOf(await caller.call("ImportHumanUser", { userName, ...HUMAN }, { "x-service-orgid": orgId }));
  return String(human.userId);
}

test("a user of any organization becomes a member, gets other roles, and is removed", async () => {
  const userId = await newPerson("ada");
  const roles = ["INSTANCE_VIEWER", "INSTANCE_VIEWER"];
  const added = messageOf(await caller.call("AddIAMMember", { userId: userId.toUpperCase(), roles }));
  expect(added.details).toMatchObject({ resourceOwner: service.instanceId });
  const payload = { userId, userOrgId: orgId, role: "INSTANCE_VIEWER" };
  expect(await events()).toEqual([["instance.member.added", payload, service.adminId]]);
  expect(await list({ queries: [{ userIdQuery: { userId } }] })).toMatchObject([
    {
      userId,
      roles: ["INSTANCE_VIEWER"],
      details: { resourceOwner: service.instanceId },
      preferredLoginName: "ada",
      email: "ada@example.com",
      firstName: "Ada",
      displayName: "Ada Lovelace",
      userType: "TYPE_HUMAN",
      userResourceOwner: orgId,
    },
  ]);
  await expectError(service.db, "grpc", () => caller.call("AddIAMMember", { userId, roles }), "MEMBER_EXISTS");

  const both = ["INSTANCE_VIEWER", "INSTANCE_USER_MANAGER"];
  messageOf(await caller.call("UpdateIAMMember", { userId, roles: both }));
  expect(await events()).toEqual([["instance.member.changed", { userId, roles: [...both].sort() }, service.adminId]]);
  expect(await roleOf(userId)).toEqual([[...both].sort()]);
  messageOf(await caller.call("RemoveIAMMember", { userId }));
  expect(await events()).toEqual([["instance.member.removed", { userId }, service.adminId]]);
  expect(await roleOf(userId)).toEqual([]);
  const rejected = [
    ["UpdateIAMMember", { userId, roles }],
    ["RemoveIAMMember", { userId }],
  ] as const;
  for (const [rpc, request] of rejected) {
    await expectError(service.db, "grpc", () => caller.call(rpc, request), "MEMBER_NOT_FOUND");
  }
});

test("unknown users, and roles that are not of the instance, are rejected", async () => {
  for (const userId of [randomUUID(), "ada"]) {
    const add = () => caller.call("AddIAMMember", { userId, roles: ["INSTANCE_VIEWER"] });
    await expectError(service.db, "grpc", add, "USER_NOT_FOUND");
  }
  for (const rpc of ["AddIAMMember", "UpdateIAMMember"] as const) {
    const add = () => caller.call(rpc, { userId: randomUUID(), roles: ["ORG_OWNER", "INSTANCE_OWNER", "x"] });
    await expectError(service.db, "grpc", add, "INVALID_ARGUMENT", ["roles[0]", "roles[2]"]);
  }
});

test("the list finds by name, address and id, and is sorted as asked", async () => {
  const people = [];
  for (const userName of ["betty", "grace"]) {
    service.clockOffsetMs += 10;
    const userId = await newPerson(userName);
    messageOf(await caller.call("AddIAMMember", { userId, roles: ["INSTANCE_VIEWER"] }));
    people.push(userId);
  }
  const [betty = "", grace = ""] = people;
  service.clockOffsetMs += 10;
  messageOf(await caller.call("UpdateIAMMember", { userId: betty, roles: ["INSTANCE_USER_MANAGER"] }));
  const CONTAINS = "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE";
  const idsOf = async (request: JsonObject) => (await list(request)).map(({ userId }) => userId);
  const asc = { asc: true };
  expect(await idsOf({ query: asc, queries: [{ emailQuery: { email: "ADA@", method: CONTAINS } }] })).toEqual(people);
  expect(await idsOf({ queries: [{ firstNameQuery: { firstName: "Grace" } }] })).toEqual([]);
  expect(await idsOf({ queries: [{ userIdQuery: { userId: "ada" } }] })).toEqual([]);
  expect(await idsOf({ query: asc })).toEqual([service.adminId, ...people]);
  const sorted = async (column: string) => await idsOf({ query: asc, sortingColumn: `MEMBER_FIELD_NAME_${column}` });
  expect(await sorted("USER_ID")).toEqual([service.adminId, ...people].sort());
  expect(await sorted("CHANGE_DATE")).toEqual([service.adminId, grace, betty]);
  const owners = (await list({ query: asc, sortingColumn: "MEMBER_FIELD_NAME_USER_RESOURCE_OWNER" })).map(
    ({ userResourceOwner }) => userResourceOwner,
  );
  expect(owners).toEqual([...owners].sort());
  const first = messageOf(
    await caller.call("ListIAMMembers", {
      query: { asc: true, limit: 2 },
      sortingColumn: "MEMBER_FIELD_NAME_USER_ID",
    }),
  );
  const { nextPageToken: pageToken } = first.details as JsonObject;
  const query = { asc: true, limit: 2, pageToken: String(pageToken) };
  expect(await idsOf({ query, sortingColumn: "MEMBER_FIELD_NAME_USER_ID" })).toHaveLength(1);
  for (const userId of people) messageOf(await caller.call("RemoveIAMMember", { userId }));
});

test("callers cannot change their own roles, and the last owner stays", async () => {
  const call = (rpc: Rpc, request: JsonObject) => caller.call(rpc, request);
  const own = { userId: service.adminId };
  await expectError(service.db, "grpc", () => call("RemoveIAMMember", own), "OWN_USER");
  const update = () => call("UpdateIAMMember", { ...own, roles: ["INSTANCE_VIEWER"] });
  await expectError(service.db, "grpc", update, "OWN_USER");
});

describe("the last owner", () => {
  let service: TestService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService("postgres");
    caller = createCaller("rest", service, undefined);
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  const countActiveOwners = async () => {
    const { count } = await service.db
      .selectFrom("members")
      .innerJoin("users", "users.id", "members.user_id")
      .where("users.state", "=", "active")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("role", "=", "INSTANCE_OWNER")
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const callAs = (token: string) => (rpc: Rpc, request: JsonObject) =>
    caller.call(rpc, request, { authorization: `Bearer ${token}` });

  type Removal = (userId: string) => [Rpc, JsonObject];
  const unassign: Removal = (userId) => ["RemoveIAMMember", { userId }];
  const demote: Removal = (userId) => ["UpdateIAMMember", { userId, roles: ["INSTANCE_VIEWER"] }];
  const erase: Removal = (id) => ["RemoveUser", { id }];
  const lock: Removal = (id) => ["LockUser", { id }];
  const deactivate: Removal = (id) => ["DeactivateUser", { id }];

  test.each([
    ["both lose their roles", unassign, unassign],
    ["both get another role", demote, demote],
    ["both are erased", erase, erase],
    ["one is erased, the other loses its roles", erase, unassign],
    ["both are locked", lock, lock],
    ["one is deactivated, the other is erased", deactivate, erase],
    ["one is locked, the other loses its roles", lock, unassign],
  ])("stays when two owners remove each other at once: %s", async (_, removeFirst, removeSecond) => {
    for (let round = 0; round < 5; round++) {
      const create = () => service.createToken({ orgId: service.orgId, role: "INSTANCE_OWNER" });
      const [first, second] = [await create(), await create()];
      // Whoever was an owner before is none now.
      await service.db
        .deleteFrom("members")
        .where("role", "=", "INSTANCE_OWNER")
        .where("user_id", "not in", [first.userId, second.userId])
        .execute();
      const outcomes = await Promise.all([
        callAs(first.token)(...removeFirst(second.userId)),
        callAs(second.token)(...removeSecond(first.userId)),
      ]);
      expect(outcomes.filter(({ ok }) => ok).length).toBeLessThan(2);
      for (const outcome of outcomes) {
        if (outcome.ok) continue;
        expect(outcome.reason).toMatch(/^(LAST_OWNER|PERMISSION_DENIED|TOKEN_INVALID|ABORTED)$/);
      }
      expect(await countActiveOwners()).toBeGreaterThan(0);
    }
  });

  test.each([
    ["remove", (db: TestService["db"], id: string) => db.deleteFrom("members").where("user_id", "=", id).execute()],
    [
      "lock",
      (db: TestService["db"], id: string) =>
        db.updateTable("users").set({ state: "locked" }).where("id", "=", id).execute(),
    ],
  ])("stays when two transactions each %s one of two owners", async (_, remove) => {
    const create = () => service.createToken({ orgId: service.orgId, role: "INSTANCE_OWNER" });
    const [first, second] = [await create(), await create()];
    await service.db
      .deleteFrom("members")
      .where("role", "=", "INSTANCE_OWNER")
      .where("user_id", "not in", [first.userId, second.userId])
      .execute();
    let other: Promise<unknown> | undefined;
    await service.db.transaction().execute(async (transaction) => {
      await remove(transaction as unknown as TestService["db"], first.userId);
      // Its snapshot still contains the first owner; it waits for this transaction.
      other = remove(service.db, second.userId).then(
        () => "removed",
        (error: { constraint?: string }) => error.constraint,
      );
    });
    expect(await other).toBe("members__last_owner");
    expect(await countActiveOwners()).toBe(1);
  });
});
