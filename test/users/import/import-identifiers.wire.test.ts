import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

let service: TestService;
let caller: Caller;
let users = 0;
beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const withEmail = (email: string, isEmailVerified = true) => ({ email: { email, isEmailVerified } });
const withPhone = (phone: string, isPhoneVerified = true) => ({ phone: { phone, isPhoneVerified } });
const importHuman = (changes: JsonObject) =>
  caller.call("ImportHumanUser", { ...HUMAN, userName: `user-${++users}`, ...changes });

async function imported(changes: JsonObject): Promise<string> {
  const outcome = await importHuman(changes);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return String(outcome.message.userId);
}

async function expectTaken(changes: JsonObject, reason: "USER_NAME_TAKEN" | "EMAIL_TAKEN" | "PHONE_TAKEN") {
  const fields = { USER_NAME_TAKEN: "userName", EMAIL_TAKEN: "email.email", PHONE_TAKEN: "phone.phone" };
  let outcome: Outcome | undefined;
  await expectError(service.db, "grpc", async () => (outcome = await importHuman(changes)), reason);
  expect(outcome).toMatchObject({ metadata: { field: fields[reason] } });
}

test("a user name that is another active user's verified address or number is taken", async () => {
  const id = await imported({ ...withEmail("Owner@example.com"), ...withPhone("+41791234500") });
  await imported({ ...withEmail("unverified@example.com", false), ...withPhone("+41791234501", false) });
  for (const userName of ["owner@example.com", "OWNER@example.com", "+41791234500", "+41 79 123-45-00"]) {
    await expectTaken({ userName }, "USER_NAME_TAKEN");
  }
  await expectTaken({ userName: "owner@example.com", ...withEmail("owner@example.com") }, "USER_NAME_TAKEN");
  await imported({ userName: "unverified@example.com" });
  await imported({ userName: "+41791234501" });
  await caller.call("DeactivateUser", { id });
  await imported({ userName: "owner@example.com" });
});

test("a verified address or number that is another user's name is taken, unless this user has verified it as well", async () => {
  await imported({ userName: "Squatter@example.com" });
  await imported({ userName: "+41791234510" });
  await expectTaken(withEmail("squatter@EXAMPLE.com"), "EMAIL_TAKEN");
  await expectTaken(withPhone("+41791234510"), "PHONE_TAKEN");
  await imported({ ...withEmail("squatter@example.com", false), ...withPhone("+41791234510", false) });
  await imported({ userName: "shared@example.com", ...withEmail("shared@example.com") });
  await imported({ userName: "+41791234511", ...withPhone("+41791234511") });
  await imported({ ...withEmail("shared@example.com"), ...withPhone("+41791234511") });
});

test("another organization's users and the user's own identifiers do not count", async () => {
  const headers = { "x-service-orgid": await service.createOrg("other") };
  const own = { userName: "own@example.com", ...withEmail("own@example.com"), ...withPhone("+41791234520") };
  await imported(own);
  expect(await caller.call("ImportHumanUser", { ...HUMAN, ...own }, headers)).toMatchObject({ ok: true });
});

test("of two calls at the same time, one gets the name and the other the address", async () => {
  for (let n = 0; n < 10; n++) {
    const key = `race-${n}@example.com`;
    const outcomes = await Promise.all([importHuman({ userName: key }), importHuman(withEmail(key))]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  }
});

test("an address that is the name of a machine user, which no sign-in finds, is free", async () => {
  const machine = await caller.call("AddMachineUser", { userName: "ops@example.com", name: "Ops" });
  expect(machine).toMatchObject({ ok: true });
  await imported(withEmail("ops@example.com"));
});
