import type { JsonObject } from "@bufbuild/protobuf";
import { ensureMachineUser } from "../../../src/users/machine/ensure-machine-user.ts";
import { type Caller, createCaller, type Outcome } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function newUser(userName: string, fields: JsonObject = {}): Promise<string> {
  const outcome = await caller.call("ImportHumanUser", { ...HUMAN, userName, ...fields });
  if (!outcome.ok) throw new Error(outcome.message);
  return String(outcome.message.userId);
}

const withEmail = (email: string, isEmailVerified = true) => ({ email: { email, isEmailVerified } });
const rename = (userId: string, userName: string) => caller.call("UpdateUserName", { userId, userName });
const changeEmail = (userId: string, email: string, isEmailVerified = true) =>
  caller.call("UpdateHumanEmail", { userId, email, isEmailVerified, changeUserName: true });

async function stateOf(userId: string) {
  const { user_name, email } = await service.db
    .selectFrom("users")
    .select(["user_name", "email"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return [user_name, email];
}

async function lastEvents(userId: string, count: number) {
  const events = await service.db
    .selectFrom("events")
    .select(["type", "payload"])
    .where("aggregate_id", "=", userId)
    .orderBy("sequence", "desc")
    .limit(count)
    .execute();
  return events.map(({ type, payload }) => [type, payload]).reverse();
}

/** Expects that the name is taken, that nothing changes, and the metadata of the error. */
async function expectTaken(call: () => Promise<Outcome>, metadata: object = { field: "userName" }): Promise<void> {
  let outcome: Outcome | undefined;
  await expectError(service.db, "grpc", async () => (outcome = await call()), "USER_NAME_TAKEN");
  expect(outcome).toMatchObject({ metadata });
}

const sequenceOf = (outcome: Outcome) =>
  outcome.ok ? (outcome.message.details as JsonObject | undefined)?.sequence : outcome.message;

test("the stored name changes nothing, and its spelling can change", async () => {
  const userId = await newUser("grace");
  const first = await rename(userId, "GRACE");
  expect(sequenceOf(await rename(userId, " GRACE "))).toBe(sequenceOf(first));
  expect(await stateOf(userId)).toEqual(["GRACE", HUMAN.email.email]);
});

test("a name that another user has is taken, in any spelling", async () => {
  const [ada, other] = [await newUser("ada"), await newUser("other")];
  await expectTaken(() => rename(other, " ADA "), { field: "userName", userId: ada });
  const both = await Promise.all([rename(ada, "countess"), rename(other, "Countess")]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  // The earlier name is free.
  await newUser((await stateOf(ada))[0] === "ada" ? "other" : "ada");
});

test("a name that is another active user's verified address or number is taken", async () => {
  const phone = { phone: "+41791234500", isPhoneVerified: true };
  const owner = await newUser("owner", { ...withEmail("Owner@example.com"), phone });
  await newUser("unverified", withEmail("unverified@example.com", false));
  const other = await newUser("renamed");
  for (const name of ["owner@example.com", "OWNER@EXAMPLE.COM", "+41791234500", "+41 79 123-45-00"]) {
    await expectTaken(() => rename(other, name));
    await expectTaken(() => caller.call("AddMachineUser", { userName: name, name: "Machine" }));
  }
  expect((await rename(owner, "owner@example.com")).ok).toBe(true);
  expect((await rename(other, "unverified@example.com")).ok).toBe(true);
  await caller.call("DeactivateUser", { id: owner });
  expect((await rename(other, "+41791234500")).ok).toBe(true);
});

test("an address or a number that is another user's name cannot be verified, unless this user shares it", async () => {
  const userId = await newUser("verifying");
  const owner = await newUser("name@example.com", withEmail("other@example.com"));
  const numbered = await newUser("+41791234599");
  const setEmail = (isEmailVerified: boolean) =>
    caller.call("UpdateHumanEmail", { userId, email: "NAME@example.com", isEmailVerified });
  const setPhone = (isPhoneVerified: boolean) =>
    caller.call("UpdateHumanPhone", { userId, phone: "+41791234599", isPhoneVerified });
  await expectError(service.db, "grpc", () => setEmail(true), "EMAIL_TAKEN");
  await expectError(service.db, "grpc", () => setPhone(true), "PHONE_TAKEN");
  expect([(await setEmail(false)).ok, (await setPhone(false)).ok]).toEqual([true, true]);
  await caller.call("UpdateHumanEmail", { userId: owner, email: "name@example.com", isEmailVerified: true });
  await caller.call("UpdateHumanPhone", { userId: numbered, phone: "+41791234599", isPhoneVerified: true });
  expect([(await setEmail(true)).ok, (await setPhone(true)).ok]).toEqual([true, true]);
});

describe.each([
  ["DeactivateUser", "ReactivateUser"],
  ["LockUser", "UnlockUser"],
] as const)("after %s, %s", (stop, start) => {
  const mailbox = (name: string) => `${name}-${start}@example.com`.toLowerCase();
  const phoneOf = (last: number) => ({
    phone: `+41791234${start === "UnlockUser" ? 6 : 7}${last}`,
    isPhoneVerified: true,
  });
  const stopped = async (userName: string, fields: JsonObject) => {
    const id = await newUser(`${userName}-${start}`, fields);
    expect((await caller.call(stop, { id })).ok).toBe(true);
    return id;
  };

  test("refuses a user whose address or number is now another user's name", async () => {
    const { email } = withEmail(mailbox("taken"));
    const addressed = await stopped("addressed", { email });
    const numbered = await stopped("numbered", { ...withEmail(mailbox("numbered"), false), phone: phoneOf(10) });
    const [named, other] = [await newUser(mailbox("taken")), await newUser(phoneOf(10).phone)];
    await expectError(service.db, "grpc", () => caller.call(start, { id: addressed }), "EMAIL_TAKEN");
    await expectError(service.db, "grpc", () => caller.call(start, { id: numbered }), "PHONE_TAKEN");
    for (const id of [named, other]) await caller.call("RemoveUser", { id });
    for (const id of [addressed, numbered]) expect((await caller.call(start, { id })).ok).toBe(true);
  });

  test("refuses a user whose address or number another active user has verified meanwhile", async () => {
    const { email } = withEmail(mailbox("meanwhile"));
    const addressed = await stopped("verified", { email });
    const numbered = await stopped("called", { ...withEmail(mailbox("called"), false), phone: phoneOf(11) });
    const other = await newUser(`other-${start}`, { email, phone: phoneOf(11) });
    await expectError(service.db, "grpc", () => caller.call(start, { id: addressed }), "EMAIL_TAKEN");
    await expectError(service.db, "grpc", () => caller.call(start, { id: numbered }), "PHONE_TAKEN");
    await caller.call("DeactivateUser", { id: other });
    for (const id of [addressed, numbered]) expect((await caller.call(start, { id })).ok).toBe(true);
  });

  test("refuses a user whose name is another active user's verified address", async () => {
    const address = mailbox("name");
    const id = await newUser(address, withEmail(address));
    await newUser(`sharing-${start}`, withEmail(address));
    await caller.call(stop, { id });
    await caller.call("UpdateHumanEmail", { userId: id, email: mailbox("new"), isEmailVerified: true });
    await expectError(service.db, "grpc", () => caller.call(start, { id }), "USER_NAME_TAKEN");
    await rename(id, mailbox("new"));
    expect((await caller.call(start, { id })).ok).toBe(true);
  });

  test("accepts users who have shared an address and a number before", async () => {
    const shared = { ...withEmail(mailbox("shared")), phone: phoneOf(12) };
    await newUser(`first-${start}`, shared);
    const second = await stopped("second", shared);
    expect((await caller.call(start, { id: second })).ok).toBe(true);
    // Of an address and a number that find nobody, a further user takes nothing away.
    const third = await stopped("third", shared);
    await newUser(`fourth-${start}`, shared);
    expect((await caller.call(start, { id: third })).ok).toBe(true);
    // One who is found by the user name, which is the shared address.
    const named = await newUser(mailbox("both"), withEmail(mailbox("both")));
    await newUser(`both-${start}`, withEmail(mailbox("both")));
    await caller.call(stop, { id: named });
    expect((await caller.call(start, { id: named })).ok).toBe(true);
  });
});

test("a machine user of the command line does not get the verified address or number of another user as name", async () => {
  const phone = { phone: "+41791234588", isPhoneVerified: true };
  const owner = await newUser("ceo", { ...withEmail("ceo@example.com"), phone });
  const ensure = (name: string) => ensureMachineUser({ db: service.db, clock: () => new Date() }, service.orgId, name);
  for (const name of ["CEO@example.com", "+41 79 123 45 88"]) {
    await expect(ensure(name)).rejects.toMatchObject({ reason: "USER_NAME_TAKEN" });
  }
  await caller.call("DeactivateUser", { id: owner });
  const { id } = await ensure("ceo@example.com");
  expect(await ensure("ceo@example.com")).toEqual({ id, isNew: false });
});

test("a machine user can be renamed, and a user of another organization is not found", async () => {
  expect((await rename(service.adminId, "operator")).ok).toBe(true);
  const orgId = await service.createOrg("other");
  const headers = { "x-service-orgid": orgId };
  const request = { userId: service.adminId, userName: "admin" };
  await expectError(service.db, "grpc", () => caller.call("UpdateUserName", request, headers), "USER_NOT_FOUND");
});

describe("a new address", () => {
  test("becomes the user name if the old one was", async () => {
    const userId = await newUser("Joan@example.com", withEmail("joan@Example.com"));
    expect((await changeEmail(userId, "joan@example.org")).ok).toBe(true);
    expect(await stateOf(userId)).toEqual(["joan@example.org", "joan@example.org"]);
    expect(await lastEvents(userId, 3)).toEqual([
      ["user.human.email.changed", { email: "joan@example.org" }],
      ["user.human.email.verified", { email: "joan@example.org" }],
      ["user.username.changed", { userName: "joan@example.org" }],
    ]);
  });

  test("does not become the user name of a user with another name, or without being asked to", async () => {
    const named = await newUser("hedy", withEmail("hedy@example.com"));
    await changeEmail(named, "hedy@example.org");
    expect(await stateOf(named)).toEqual(["hedy", "hedy@example.org"]);
    const kept = await newUser("emmy@example.com", withEmail("emmy@example.com"));
    await caller.call("UpdateHumanEmail", { userId: kept, email: "emmy@example.org" });
    expect(await stateOf(kept)).toEqual(["emmy@example.com", "emmy@example.org"]);
  });

  test.each([
    ["sends the verification email", {}, "user.human.email.verification.requested"],
    ["sends the initialization email", { hashedPassword: undefined }, "user.human.initialization.requested"],
  ])("that is not verified %s", async (_, fields, event) => {
    const name = `${event}@example.com`;
    const userId = await newUser(name, { ...withEmail(name, event.includes("email")), ...(fields as JsonObject) });
    expect((await changeEmail(userId, `new-${name}`, false)).ok).toBe(true);
    expect(await stateOf(userId)).toEqual([`new-${name}`, `new-${name}`]);
    expect(await lastEvents(userId, 2)).toEqual([
      [event, { codeId: expect.any(String) }],
      ["user.username.changed", { userName: `new-${name}` }],
    ]);
  });

  test("that is another user's name or verified address changes nothing", async () => {
    const userId = await newUser("lise@example.com", withEmail("lise@example.com"));
    await newUser("named@example.org");
    await newUser("addressed", withEmail("addressed@example.org"));
    for (const email of ["NAMED@example.org", "addressed@example.org"]) {
      await expectTaken(() => changeEmail(userId, email));
    }
    expect(await stateOf(userId)).toEqual(["lise@example.com", "lise@example.com"]);
    // Several users may have the same address.
    const request = { userId, email: "addressed@example.org", isEmailVerified: true };
    expect((await caller.call("UpdateHumanEmail", request)).ok).toBe(true);
  });
});
