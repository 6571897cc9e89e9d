import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const [FIRST, SECOND] = ["+41791234567", "+41797654321"] as const;

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

async function send(rpc: Rpc, request: JsonObject): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

const importUser = async (phone: object = {}) =>
  String((await send("ImportHumanUser", { userName: `user-${++users}`, ...HUMAN, ...phone } as JsonObject)).userId);
const setPhone = (userId: string, phone: string, isPhoneVerified: boolean) =>
  send("UpdateHumanPhone", { userId, phone, isPhoneVerified });

/** Which of the numbers find the user. */
async function foundBy(userId: string): Promise<string[]> {
  const own = { inUserIdsQuery: { userIds: [userId] } };
  const found = [FIRST, SECOND].map(async (phone) => {
    const { result = [] } = await send("ListUsers", { queries: [own, { phoneQuery: { phone } }] });
    return (result as JsonObject[]).map(() => phone);
  });
  return (await Promise.all(found)).flat();
}

const unverified = (userId: string) =>
  service.db.selectFrom("unverified_phones").selectAll().where("user_id", "=", userId).execute();

test.each([true, false])("a user is found by the number of the import (verified: %s)", async (isPhoneVerified) => {
  const id = await importUser({ phone: { phone: FIRST, isPhoneVerified } });
  expect(await foundBy(id)).toEqual([FIRST]);
  expect(await unverified(id)).toEqual(isPhoneVerified ? [] : [{ org_id: service.orgId, user_id: id, phone: FIRST }]);
});

test("a user is found by the present number only, whether the earlier one was verified or not", async () => {
  const id = await importUser();
  expect(await foundBy(id)).toEqual([]);
  for (const [phone, isVerified] of [
    [FIRST, false],
    [SECOND, false],
    [FIRST, true],
    [SECOND, true],
    [FIRST, false],
    [FIRST, true],
    [FIRST, false],
    [SECOND, true],
  ] as const) {
    await setPhone(id, phone, isVerified);
    expect([phone, isVerified, await foundBy(id)]).toEqual([phone, isVerified, [phone]]);
    expect((await unverified(id)).map((row) => row.phone)).toEqual(isVerified ? [] : [phone]);
  }
});

test.each([true, false])("a removed number finds nobody, and is nowhere (verified: %s)", async (isVerified) => {
  const id = await importUser();
  await setPhone(id, FIRST, isVerified);
  await send("RemoveHumanPhone", { userId: id });
  expect(await foundBy(id)).toEqual([]);
  expect(await unverified(id)).toEqual([]);
  await setPhone(id, FIRST, isVerified);
  await send("RemoveUser", { id });
  expect(await unverified(id)).toEqual([]);
});

test("a number that a process of an earlier version has stored finds its user", async () => {
  const id = await importUser();
  await service.db.updateTable("users").set({ phone: FIRST }).where("id", "=", id).execute();
  expect(await foundBy(id)).toEqual([FIRST]);
});

test("the first owner of an organization is found by an unverified number", async () => {
  const { profile, email } = HUMAN;
  const human = { userName: "owner", profile, email, phone: { phone: FIRST } };
  const { orgId, userId } = await send("SetUpOrg", { org: { name: "Phones" }, human });
  const outcome = await caller.call(
    "ListUsers",
    { queries: [{ phoneQuery: { phone: FIRST } }] },
    { "x-service-orgid": String(orgId) },
  );
  expect(outcome).toMatchObject({ ok: true, message: { result: [{ id: userId }] } });
});
