import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { PASSWORD } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PROFILE = { firstName: "Ada", lastName: "Lovelace" };

let service: TestService;
let caller: Caller;
let count = 0;
beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  service.secret(PASSWORD);
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
const send = async (rpc: Rpc, request: JsonObject, headers = {}) =>
  messageOf(await caller.call(rpc, request, headers)) as Record<string, JsonObject> & {
    orgId: string;
    userId: string;
  };
const eventsOf = async (id: string) =>
  (
    await service.db
      .selectFrom("events")
      .select(["sequence", "type", "owner_id", "editor_id"])
      .where("aggregate_id", "=", id)
      .orderBy("sequence")
      .execute()
  ).map(({ sequence, type, owner_id, editor_id }) => [Number(sequence), type, owner_id, editor_id]);

test("SetUpOrg adds an organization with its owner, who gets the initialization email and an SMS", async () => {
  const name = `Acme ${++count}`;
  const human = {
    userName: "ada",
    profile: PROFILE,
    email: { email: "ada@example.com" },
    phone: { phone: "+41791234567" },
  };
  const { orgId, userId, details } = await send("SetUpOrg", { org: { name: ` ${name} ` }, human });
  expect(details).toMatchObject({ sequence: "2", resourceOwner: orgId });
  const headers = { "x-service-orgid": orgId };
  expect(await send("GetMyOrg", {}, headers)).toMatchObject({ org: { id: orgId, name, details } });
  expect(await send("GetUserByID", { id: userId }, headers)).toMatchObject({
    user: { userName: "ada", state: "USER_STATE_INITIAL", details: { resourceOwner: orgId } },
  });
  expect(await send("ListOrgMembers", {}, headers)).toMatchObject({
    result: [{ userId, roles: ["ORG_OWNER"], details, userResourceOwner: orgId }],
  });
  expect(await eventsOf(orgId)).toEqual([
    [1, "org.added", orgId, service.adminId],
    [2, "org.member.added", orgId, service.adminId],
  ]);
  expect(await eventsOf(userId)).toEqual([
    [1, "user.human.added", orgId, service.adminId],
    [2, "user.human.initialization.requested", orgId, service.adminId],
    [3, "user.human.phone.verification.requested", orgId, service.adminId],
  ]);
  const messages = await service.db
    .selectFrom("messages")
    .select("channel")
    .where("org_id", "=", orgId)
    .orderBy("channel")
    .execute();
  expect(messages.map(({ channel }) => channel)).toEqual(["email", "sms"]);

  // The changes of the organization itself, without those of its users.
  const { result } = await send("ListOrgChanges", { query: { asc: true } }, headers);
  expect(result).toMatchObject([
    { eventType: { key: "org.added" }, sequence: "1", editorId: service.adminId, resourceOwnerId: orgId },
    { eventType: { key: "org.member.added", localizedMessage: "Role in the organization granted" } },
  ]);
  const last = await send("ListOrgChanges", { query: { limit: 1 } }, headers);
  expect(last.result).toMatchObject([{ sequence: "2" }]);
  expect((await send("ListOrgChanges", { query: { sequence: "2", asc: true } }, headers)).result ?? []).toEqual([]);
  const tooHigh = { query: { sequence: `${2n ** 63n}` } };
  await expectError(service.db, "grpc", () => caller.call("ListOrgChanges", tooHigh), "INVALID_ARGUMENT", [
    "query.sequence",
  ]);
});

test("a user with a password and a verified address gets no message, and the given roles", async () => {
  const human = {
    userName: "ada",
    profile: PROFILE,
    email: { email: "ada@example.com", isEmailVerified: true },
    phone: { phone: "+41791234567", isPhoneVerified: true },
    password: PASSWORD,
    passwordChangeRequired: true,
  };
  const request = {
    org: { name: `Acme ${++count}` },
    human,
    roles: ["ORG_VIEWER", "ORG_USER_MANAGER", "ORG_VIEWER"],
  };
  const key = { "idempotency-key": "set-up" };
  const first = await send("SetUpOrg", request, key);
  expect(await send("SetUpOrg", request, key)).toEqual(first);
  const { orgId, userId } = first;
  const headers = { "x-service-orgid": orgId };
  expect(await send("ListOrgMembers", {}, headers)).toMatchObject({
    result: [{ userId, roles: ["ORG_USER_MANAGER", "ORG_VIEWER"], details: { sequence: "3" } }],
  });
  expect(await send("GetUserByID", { id: userId }, headers)).toMatchObject({
    user: {
      state: "USER_STATE_ACTIVE",
      human: { phone: { phone: "+41791234567", isPhoneVerified: true }, passwordChangeRequired: true },
    },
  });
  const messages = await service.db.selectFrom("messages").select("id").where("org_id", "=", orgId).execute();
  expect(messages).toEqual([]);
  const phones = await service.db.selectFrom("verified_phones").select("phone").where("org_id", "=", orgId).execute();
  expect(phones).toEqual([{ phone: "+41791234567" }]);
});

test("a taken name and invalid fields add nothing", async () => {
  const human = { userName: "ada", profile: PROFILE, email: { email: "ada@example.com" } };
  const taken = () => caller.call("SetUpOrg", { org: { name: "DEFAULT" }, human });
  await expectError(service.db, "grpc", taken, "ORG_NAME_TAKEN");
  const invalid = () =>
    caller.call("SetUpOrg", {
      org: { name: "a\u200bb" },
      human: { userName: "", profile: PROFILE, email: { email: "no address" }, password: "x".repeat(73) },
      roles: ["INSTANCE_OWNER"],
    });
  await expectError(service.db, "grpc", invalid, "INVALID_ARGUMENT", [
    "org.name",
    "human.userName",
    "human.email.email",
    "human.password",
    "roles[0]",
  ]);
  await expectError(service.db, "grpc", () => caller.call("SetUpOrg", {}), "INVALID_ARGUMENT", ["human", "org"]);
});
