import type { JsonObject } from "@bufbuild/protobuf";
import { createId } from "../../../src/crypto/secrets.ts";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

let service: TestService;
let caller: Caller;
let users = 0;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const importHuman = (changes: JsonObject, by = caller) =>
  by.call("ImportHumanUser", { userName: `user-${++users}`, ...HUMAN, ...changes });

async function send(rpc: Rpc, request: JsonObject, headers: Record<string, string> = {}): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

async function imported(changes: JsonObject): Promise<string> {
  const outcome = await importHuman(changes);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return String(outcome.message.userId);
}

const subjectsOf = (userId: string) =>
  service.db.selectFrom("user_subjects").selectAll().where("user_id", "=", userId).execute();

test("a subject is stored with the user, shown, found, and in the event", async () => {
  const subject = "auth0|a ~";
  const id = await imported({ subject });
  expect(await subjectsOf(id)).toEqual([{ user_id: id, org_id: service.orgId, subject }]);
  expect(await send("GetUserByID", { id })).toMatchObject({ user: { id, subject } });
  const find = async (text: string, headers = {}) =>
    (await send("ListUsers", { queries: [{ subjectQuery: { subject: text } }] }, headers)).result;
  expect(await find(subject)).toMatchObject([{ id, subject }]);
  expect((await find(subject.toUpperCase())) ?? []).toEqual([]);
  const other = await service.createOrg("finds nobody");
  expect((await find(subject, { "x-service-orgid": other })) ?? []).toEqual([]);
  const { payload } = await service.db
    .selectFrom("events")
    .select("payload")
    .where("aggregate_id", "=", id)
    .where("type", "=", "user.human.added")
    .executeTakeFirstOrThrow();
  expect(payload).toMatchObject({ subject });
});

test("not a subject is everybody else, also if nobody has it", async () => {
  const subject = "not";
  const [id, other] = [await imported({ subject }), await imported({})];
  const findOthers = async (text: string) => {
    const queries = [
      { notQuery: { query: { subjectQuery: { subject: text } } } },
      { inUserIdsQuery: { userIds: [id, other] } },
    ];
    const { result = [] } = await send("ListUsers", { queries });
    return (result as { id: string }[]).map((user) => user.id);
  };
  expect(await findOthers(subject)).toEqual([other]);
  expect((await findOthers("nobody")).sort()).toEqual([id, other].sort());
});

test("a user without a subject has none, also in the event", async () => {
  const id = await imported({ subject: "" });
  expect(await subjectsOf(id)).toEqual([]);
  const { user } = await send("GetUserByID", { id });
  expect(user).not.toHaveProperty("subject");
  const events = await service.db.selectFrom("events").select("payload").where("aggregate_id", "=", id).execute();
  expect(JSON.stringify(events)).not.toContain("subject");
});

test("of several imports with one subject at once, also in two organizations, one arrives", async () => {
  const subject = "twice";
  const orgId = await service.createOrg("twice");
  const outcomes = await Promise.all(
    [{}, { "x-service-orgid": orgId }, {}, { "x-service-orgid": orgId }].map((headers, n) =>
      caller.call("ImportHumanUser", { userName: `twice-${n}`, ...HUMAN, subject }, headers),
    ),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  for (const outcome of outcomes) {
    if (!outcome.ok)
      expect(outcome).toMatchObject({ code: 6, reason: "SUBJECT_TAKEN", metadata: { field: "subject" } });
  }
  await expectError(service.db, "grpc", () => importHuman({ subject }), "SUBJECT_TAKEN");
});

test("the id of a user of any organization is taken, and another id is not", async () => {
  const orgId = await service.createOrg("ids");
  const { userId } = await send(
    "ImportHumanUser",
    { userName: `user-${++users}`, ...HUMAN },
    { "x-service-orgid": orgId },
  );
  for (const subject of [String(userId), String(userId).toUpperCase(), service.adminId]) {
    await expectError(service.db, "grpc", () => importHuman({ subject }), "SUBJECT_TAKEN");
  }
  const subject = createId();
  expect(await subjectsOf(await imported({ subject }))).toMatchObject([{ subject }]);
});

test("the subject of a removed user is deleted, and free again", async () => {
  const subject = "removed";
  const id = await imported({ subject });
  await send("RemoveUser", { id });
  expect(await subjectsOf(id)).toEqual([]);
  const payloads = await service.db.selectFrom("events").select("payload").where("aggregate_id", "=", id).execute();
  expect(JSON.stringify(payloads)).not.toContain(subject);
  expect(await subjectsOf(await imported({ subject }))).toMatchObject([{ subject }]);
});

test("a caller without the permission on the instance may import, but not set a subject", async () => {
  const { token } = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
  const owner = createCaller("grpc", service, token);
  expect(await importHuman({}, owner)).toMatchObject({ ok: true });
  const refused = () => importHuman({ subject: "by an owner" }, owner);
  expect(await refused()).toMatchObject({ metadata: { permission: "user.write" } });
  await expectError(service.db, "grpc", refused, "PERMISSION_DENIED");
  owner.close();
});

test.each([
  ["256 characters", "x".repeat(256)],
  ["a character outside ASCII", "ä"],
  ["a space at the end", "a "],
  ["a space at the start", " a"],
  ["a line break", "a\nb"],
  ["a character that is not printable", "a\u007f"],
])("%s are rejected", async (_what, subject) => {
  await expectError(service.db, "grpc", () => importHuman({ subject }), "INVALID_ARGUMENT", ["subject"]);
});

test("255 printable characters are accepted", async () => {
  const subject = "a ".padEnd(255, "!\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~");
  expect(await subjectsOf(await imported({ subject }))).toMatchObject([{ subject }]);
});
