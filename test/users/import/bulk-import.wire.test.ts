import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { type Caller, createCaller } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { BCRYPT, HUMAN, IDP } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

interface Result {
  readonly imported?: JsonObject & { readonly userId: string };
  readonly error?: JsonObject & { readonly reason: string };
}

let service: TestService;
let caller: Caller;
let users = 0;
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const newUser = (changes: JsonObject = {}): JsonObject => ({
  ...{ userName: `user-${++users}`, ...HUMAN, hashedPassword: { value: BCRYPT }, ...changes },
});

async function bulkImport(
  items: readonly JsonObject[],
  { headers = {}, by = caller }: { readonly headers?: Record<string, string>; readonly by?: Caller } = {},
): Promise<Result[]> {
  const outcome = await by.call("BulkImportHumanUsers", { users: [...items] }, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message.results as unknown as Result[];
}

async function nameOf(id: string): Promise<unknown> {
  const outcome = await caller.call("GetUserByID", { id });
  return outcome.ok && (outcome.message.user as JsonObject).userName;
}

const countUsers = async () => (await service.db.selectFrom("users").select("id").execute()).length;

test("each user is imported as by ImportHumanUser, in the order of the request", async () => {
  const requests = Array.from({ length: 50 }, () => newUser());
  const results = await bulkImport(requests.map((user) => ({ user })));
  expect(results).toHaveLength(50);
  for (const [index, { imported }] of results.entries()) {
    expect(imported).toMatchObject({ details: { sequence: "2", resourceOwner: service.orgId } });
    expect(await nameOf(String(imported?.userId))).toBe(requests[index]?.userName);
  }
});

test("a user who is refused gets the error of ImportHumanUser, and the others are imported", async () => {
  const taken = newUser();
  const [first] = await bulkImport([{ user: taken }]);
  const refused = [
    taken,
    newUser({ profile: { lastName: "Lovelace" } }),
    newUser({ hashedPassword: { value: "x" }, idps: [{ configId: "unknown", externalUserId: "" }] }),
    newUser({ idps: [{ configId: "unknown", externalUserId: "1" }] }),
    {},
  ];
  const before = await countUsers();
  const results = await bulkImport([...refused, newUser()].map((user) => ({ user })));
  for (const [index, request] of refused.entries()) {
    const single = await caller.call("ImportHumanUser", request);
    if (single.ok) throw new Error("the user was imported");
    const { code, reason, message } = single;
    expect(results[index]?.error).toMatchObject({ code, reason, message });
    const violations = (results[index]?.error?.fieldViolations ?? []) as { readonly field: string }[];
    expect(violations.map(({ field }) => field).sort()).toEqual(single.fields);
  }
  expect(results[0]?.error).toMatchObject({
    reason: "USER_NAME_TAKEN",
    metadata: { field: "userName", userId: first?.imported?.userId },
  });
  expect(results.at(-1)?.imported).toBeDefined();
  expect(await countUsers()).toBe(before + 1);
});

test("of two users with one name in a call, one is imported", async () => {
  const user = newUser();
  const results = await bulkImport([{ user }, { user }]);
  const [error] = results.flatMap((result) => result.error ?? []);
  const [imported] = results.flatMap((result) => result.imported ?? []);
  expect(error).toMatchObject({ reason: "USER_NAME_TAKEN", metadata: { userId: imported?.userId } });
});

test("the key of a user is that of ImportHumanUser, whatever else is in the call", async () => {
  const [user, other] = [newUser(), newUser()];
  const [first] = await bulkImport([{ user, idempotencyKey: "own" }]);
  const again = await bulkImport([{ user: other }, { user, idempotencyKey: "own" }]);
  expect(again[1]).toEqual(first);
  const single = await caller.call("ImportHumanUser", user, { "idempotency-key": "own" });
  expect(single).toMatchObject({ ok: true, message: first?.imported });
  const changed = { ...user, userName: "changed" };
  const results = await bulkImport([{ user: changed, idempotencyKey: "own" }, { user: newUser() }]);
  expect(results).toMatchObject([{ error: { reason: "IDEMPOTENCY_KEY_REUSED" } }, { imported: {} }]);
});

test("with the header idempotency-key, users without a key have one for their position", async () => {
  const requests = [newUser(), newUser(), newUser()];
  const items = requests.map((user, n) => (n === 1 ? { user, idempotencyKey: "middle" } : { user }));
  const headers = { "idempotency-key": "call" };
  const first = await bulkImport(items, { headers });
  expect(await bulkImport(items, { headers })).toEqual(first);
  const [, middle] = await bulkImport([{ user: newUser() }, { user: requests[1] ?? {} }], { headers });
  expect(middle?.error?.reason).toBe("USER_NAME_TAKEN");
  const [moved] = await bulkImport([{ user: requests[2] ?? {} }], { headers });
  expect(moved?.error?.reason).toBe("IDEMPOTENCY_KEY_REUSED");
});

test.each(["a b", "ä", "x".repeat(256)])("a user with the key %j is refused", async (idempotencyKey) => {
  const results = await bulkImport([{ user: newUser(), idempotencyKey }, { user: newUser() }]);
  const field = "idempotencyKey";
  expect(results).toMatchObject([
    { error: { reason: "INVALID_ARGUMENT", fieldViolations: [{ field }] } },
    { imported: {} },
  ]);
});

test.each([0, 51])("a list of %d users is refused", async (count) => {
  const call = () =>
    caller.call("BulkImportHumanUsers", { users: Array.from({ length: count }, () => ({ user: newUser() })) });
  await expectError(service.db, "grpc", call, "INVALID_ARGUMENT", ["users"]);
});

test("a caller with a role in the organization cannot set a subject, and imports the others", async () => {
  const { token } = await service.createToken({ orgId: service.orgId, role: "ORG_USER_MANAGER" });
  const by = createCaller("grpc", service, token);
  const results = await bulkImport([{ user: newUser({ subject: "s" }) }, { user: newUser() }], { by });
  by.close();
  expect(results).toMatchObject([{ error: { code: 7, reason: "PERMISSION_DENIED" } }, { imported: {} }]);
});

test("a link to a provider of another organization is refused", async () => {
  const orgId = await service.createOrg("other");
  service.secret(IDP.clientSecret);
  const added = await caller.call("AddOrgOIDCIDP", IDP, { "x-service-orgid": orgId });
  const configId = added.ok ? String(added.message.idpId) : "";
  const results = await bulkImport([{ user: newUser({ idps: [{ configId, externalUserId: "1" }] }) }]);
  expect(results).toMatchObject([{ error: { reason: "IDP_NOT_FOUND" } }]);
});

test("a failure of the database is that of the call, whose repetition imports the others", async () => {
  const requests = [newUser(), newUser({ userName: "fails" }), newUser()];
  const items = requests.map((user, n) => ({ user, idempotencyKey: `failure-${n}` }));
  await sql`create function fail() returns trigger language plpgsql as $$ begin
      if new.user_name = 'fails' then raise exception 'a failure of the tests' using errcode = '53100'; end if;
      return new;
    end $$`.execute(service.db);
  await sql`create trigger fail before insert on users for each row execute function fail()`.execute(service.db);
  const failed = await caller.call("BulkImportHumanUsers", { users: items });
  await sql`drop trigger fail on users`.execute(service.db);
  await sql`drop function fail`.execute(service.db);
  expect(failed).toMatchObject({ ok: false, reason: "UNAVAILABLE", metadata: { outcome: "unknown" } });
  const results = await bulkImport(items);
  expect(results).toMatchObject([{ imported: {} }, { imported: {} }, { imported: {} }]);
  const names = await Promise.all(results.map(({ imported }) => nameOf(String(imported?.userId))));
  expect(names).toEqual(requests.map(({ userName }) => userName));
});
