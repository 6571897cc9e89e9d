import type { JsonObject } from "@bufbuild/protobuf";
import { createPerson, type Person } from "../../support/browsers/person.ts";
import { allRows, lastReceived, VISITED } from "../../support/browsers/visitor.ts";
import { type Caller, createCaller, type Rpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const UNVERIFIED = { email: { email: "ada@example.com" }, phone: { phone: "+41791234567" } };
const WITHOUT_PASSWORD = { hashedPassword: {} };

let service: TestService;
let caller: Caller;
let users = 0;
let app: RelyingParty;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
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

async function importHuman(changes: JsonObject) {
  const userName = `user-${++users}`;
  const response = await send("ImportHumanUser", { userName, ...HUMAN, ...changes });
  const userId = String(response.userId);
  const { initialization } = response as { initialization?: { link: string; expiration: string } };
  return { userName, userId, initialization };
}

const queuedFor = async (userId: string) =>
  (await service.db.selectFrom("messages").select("id").where("user_id", "=", userId).execute()).length;

async function eventsOf(userId: string): Promise<string[]> {
  const rows = await service.db
    .selectFrom("events")
    .select("type")
    .where("aggregate_id", "=", userId)
    .orderBy("sequence")
    .execute();
  return rows.map(({ type }) => type);
}

async function signIn(person: Person, username: string): Promise<boolean> {
  const page = await person.open(createRequest(app).url);
  return (await person.submit(page, { username, password: PASSWORD })).url.searchParams.has("code");
}

test("with MESSAGE_NONE, the user gets neither email nor SMS, and is not initialized", async () => {
  const { userId, initialization } = await importHuman({ ...UNVERIFIED, message: "MESSAGE_NONE" });
  expect(initialization).toBeUndefined();
  expect(await queuedFor(userId)).toBe(0);
  expect(await eventsOf(userId)).toEqual(["user.human.added"]);
  expect(await send("GetUserByID", { id: userId })).toMatchObject({ user: { state: "USER_STATE_INITIAL" } });
  await send("ResendHumanInitialization", { userId });
  expect(await queuedFor(userId)).toBe(1);
});

test("later, a user with a verified address gets a link on the sign-in page, and signs in", async () => {
  const { userName, userId } = await importHuman({ ...WITHOUT_PASSWORD, message: "MESSAGE_NONE" });
  expect(await queuedFor(userId)).toBe(0);
  const person = createPerson(service);
  const page = await person.open(createRequest(app).url);
  const forgotten = (/ formaction="([^"]*forgotten[^"]*)"/.exec(page.text)?.[1] ?? "").replaceAll("&amp;", "&");
  await person.submit(await person.open(forgotten), { username: userName });
  const { code } = await lastReceived(service, userId, "password");
  await person.browser.post("/ui/password", { code, password: PASSWORD, repeat: PASSWORD });
  expect(await signIn(person, userName)).toBe(true);
});

test("with MESSAGE_RETURN_LINK, the response has the link, with which the user sets a password and signs in", async () => {
  const { userName, userId, initialization } = await importHuman({
    ...UNVERIFIED,
    ...WITHOUT_PASSWORD,
    message: "MESSAGE_RETURN_LINK",
  });
  expect(initialization).toEqual({
    link: expect.stringContaining(`${service.config.publicUrl}/ui/init?code=`),
    expiration: "259200s",
  });
  expect(await queuedFor(userId)).toBe(0);
  expect(await eventsOf(userId)).toEqual(["user.human.added", "user.human.initialization.requested"]);
  const code = new URL(initialization?.link ?? "").searchParams.get("code") ?? "";
  // Only the response has the secret of the link.
  const stored = await allRows(service);
  expect(Object.keys(stored).filter((table) => stored[table]?.includes(code.split(".")[1] ?? "?"))).toEqual([]);
  const person = createPerson(service);
  await person.browser.post("/ui/init", { code, password: PASSWORD, repeat: PASSWORD });
  expect(await send("GetUserByID", { id: userId })).toMatchObject({
    user: { state: "USER_STATE_ACTIVE", human: { email: { isEmailVerified: true } } },
  });
  expect(await signIn(person, userName)).toBe(true);
});

test("a user who needs no initialization gets no link", async () => {
  const { userId, initialization } = await importHuman({ message: "MESSAGE_RETURN_LINK" });
  expect(initialization).toBeUndefined();
  expect(await eventsOf(userId)).toEqual(["user.human.added", "user.human.email.verified"]);
});

test.each([
  ["another number", { message: 3 }],
  ["the link of an inactive user", { message: "MESSAGE_RETURN_LINK", state: "STATE_INACTIVE" }],
])("%s is rejected", async (_what, changes) => {
  const call = () => caller.call("ImportHumanUser", { userName: `user-${++users}`, ...HUMAN, ...changes });
  await expectError(service.db, "grpc", call, "INVALID_ARGUMENT", ["message"]);
});

test("a returned link expires 72 hours after the import", async () => {
  const request = { userName: "expired", ...HUMAN, ...UNVERIFIED, message: "MESSAGE_RETURN_LINK" };
  const outcome = await caller.call("ImportHumanUser", request);
  if (!outcome.ok) throw new Error(outcome.message);
  const { link } = outcome.message.initialization as { link: string };
  const person = createPerson(service);
  service.clockOffsetMs = 72 * 3_600_000 - 60_000;
  expect((await person.open(link)).status).toBe(200);
  service.clockOffsetMs = 72 * 3_600_000 + 60_000;
  expect((await person.open(link)).status).not.toBe(200);
  service.clockOffsetMs = 0;
});
