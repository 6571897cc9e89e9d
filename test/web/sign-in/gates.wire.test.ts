import { compareSync } from "bcryptjs";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import {
  call,
  eventsAfter,
  importAda,
  lastReceived,
  received,
  userOf,
  VERIFIED,
  VISITED,
} from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const CHANGE = { ...VERIFIED, password: PASSWORD, passwordChangeRequired: true };
const MINUTE = 60_000;

let names = 0;

let service: TestService;
let app: RelyingParty;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
  app = await createRelyingParty(service);
});
afterAll(() => service?.close());

/** A user who has entered the correct password, and the next page. */
async function enter(fields: object) {
  const userName = `user-${++names}`;
  const userId = await importAda(service, { userName, ...fields });
  const person = createPerson(service);
  const request = createRequest(app);
  const signIn = await person.open(request.url);
  const page = await person.submit(signIn, { username: userName, password: PASSWORD });
  return { userId, userName, person, request, signIn, page };
}

const isDone = ({ url }: Page) => url.searchParams.has("code");

const choose = (person: Person, page: Page, password: string, repeat = password) =>
  person.submit(page, { password, repeat });

test("a user whose password has to be changed chooses a new one before anything else", async () => {
  const { userId, userName, person, request, page } = await enter(CHANGE);
  expect([page.status, page.title]).toEqual([200, "Choose a new password"]);
  expect(page.text).toContain(`<dd>${userName}</dd>`);
  const { sequence } = await userOf(service, userId);
  const done = await choose(person, page, NEW_PASSWORD);
  expect((await redeem(service, app, done.url, request)).claims()?.sub).toBe(userId);
  const user = await userOf(service, userId);
  expect(user.password_change_required).toBe(false);
  expect(compareSync(NEW_PASSWORD, user.password_hash ?? "")).toBe(true);
  expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual([
    "user.human.password.changed",
    "user.human.signed.in",
  ]);
});

test("a user with a password is not asked for a new one", async () => {
  const { page } = await enter({ ...VERIFIED, password: PASSWORD });
  expect(isDone(page)).toBe(true);
});

test("an address that is not verified is verified first, by the link that the page sends", async () => {
  const { userId, person, page, request } = await enter({ password: PASSWORD, passwordChangeRequired: true });
  expect([page.status, page.title]).toEqual([200, "Confirm your email address"]);
  expect(page.text).toContain("We have sent a link to ada@example.com.");
  const early = await person.submit(page, {});
  expect([early.status, early.alert]).toEqual([422, "The address has not been confirmed yet."]);
  const { code } = await lastReceived(service, userId, "initialization");
  await person.browser.post("/ui/init", { code });
  // The gate for the password comes after the gate for the address.
  const next = await person.submit(early, {});
  expect(next.title).toBe("Choose a new password");
  const done = await choose(person, next, NEW_PASSWORD);
  expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({ sub: userId });
});

test("an initialized user with a new address gets the email that verifies it", async () => {
  const { userId, page, userName } = await enter({ ...VERIFIED, password: PASSWORD });
  expect(isDone(page)).toBe(true);
  await call(service, "UpdateHumanEmail", { userId, email: "new@example.com" });
  service.clockOffsetMs += 2 * MINUTE;
  const person = createPerson(service);
  const signIn = await person.open(createRequest(app).url);
  const gate = await person.submit(signIn, { username: userName, password: PASSWORD });
  expect(gate.text).toContain("We have sent a link to new@example.com.");
  const links = await received(service, userId, "email");
  expect(links).toHaveLength(2);
  await person.browser.post("/ui/email", { code: links[1]?.code ?? "" });
  expect(isDone(await person.submit(gate, {}))).toBe(true);
});

test("the page sends one link per minute, and says when it can send the next one", async () => {
  const { userId, person, page } = await enter({ password: PASSWORD });
  const sent = async () => (await received(service, userId, "initialization")).length;
  // The import has already sent a link.
  expect(await sent()).toBe(1);
  const early = await person.submit(page, { do: "send" });
  expect([early.status, early.title]).toEqual([429, "Confirm your email address"]);
  expect(early.alert).toMatch(/ The next one can be sent in (1 minute|\d+ seconds)\.$/);
  expect(await sent()).toBe(1);
  service.clockOffsetMs += 2 * MINUTE;
  const again = await person.submit(early, { do: "send" });
  expect([again.status, again.alert]).toEqual([200, ""]);
  expect(again.text).toContain("A new link is on its way");
  expect(again.text).toMatch(/The next one can be requested in (1 minute|\d+ seconds)\./);
  expect(await sent()).toBe(2);
});

test.each([
  ["missing", "", "", "Please choose a password."],
  ["too short", "short", "short", "The password is too short: it must have at least 8 characters."],
  ["the same as before", PASSWORD, PASSWORD, "This is your current password. Please choose another one."],
  ["different", NEW_PASSWORD, `${NEW_PASSWORD}!`, "The two passwords do not match. Please enter both again."],
  [
    "too long",
    "é".repeat(37),
    "é".repeat(37),
    "The password is too long: it can have at most 72 bytes. Accents and emoji count more than once.",
  ],
])("a new password that is %s is rejected, and another one is accepted", async (_, password, repeat, alert) => {
  const { userId, person, page } = await enter(CHANGE);
  expect(page.text).not.toContain("bytes");
  const before = await userOf(service, userId);
  const refused = await choose(person, page, password, repeat);
  expect([refused.status, refused.alert]).toEqual([422, alert]);
  expect(await userOf(service, userId)).toEqual(before);
  expect(isDone(await choose(person, refused, NEW_PASSWORD))).toBe(true);
});

test("the new password ends the user's other sessions", async () => {
  const { userId, userName, page } = await enter({ ...VERIFIED, password: PASSWORD });
  expect(isDone(page)).toBe(true);
  await service.db.updateTable("users").set({ password_change_required: true }).where("id", "=", userId).execute();
  const person = createPerson(service);
  const signIn = await person.open(createRequest(app).url);
  const gate = await person.submit(signIn, { username: userName, password: PASSWORD });
  const sessions = () =>
    service.db
      .selectFrom("oidc_artifacts")
      .select("session_uid")
      .where("user_id", "=", userId)
      .where("kind", "=", "Session")
      .execute();
  const [former] = await sessions();
  expect(isDone(await choose(person, gate, NEW_PASSWORD))).toBe(true);
  const left = await sessions();
  expect(left).toHaveLength(1);
  expect(left[0]?.session_uid).not.toBe(former?.session_uid);
});

test("an email reports the new password", async () => {
  const { userId, person, page } = await enter(CHANGE);
  expect(isDone(await choose(person, page, NEW_PASSWORD))).toBe(true);
  const notices = service.db.selectFrom("messages").select(["channel", "notice"]).where("user_id", "=", userId);
  expect(await notices.execute()).toEqual([{ channel: "email", notice: "password-changed" }]);
});

test("the page of a gate is rejected after 15 minutes, and the user signs in again", async () => {
  const { person, page } = await enter(CHANGE);
  service.clockOffsetMs += 15 * MINUTE;
  const again = await choose(person, page, "yet another password");
  expect([again.status, again.title, again.alert]).toEqual([
    422,
    expect.stringMatching(/^Sign in to /),
    "This page was open for too long. Please sign in again.",
  ]);
});

test.each([
  [
    "the password was changed",
    (userId: string) => call(service, "SetHumanPassword", { userId, password: NEW_PASSWORD }),
  ],
  ["the user is locked", (id: string) => call(service, "LockUser", { id })],
])("the sign-in has ended once %s", async (_, change) => {
  const { userId, person, page } = await enter(CHANGE);
  await change(userId);
  const ended = await choose(person, page, "yet another password");
  expect([ended.status, ended.title]).toEqual([410, "This sign-in has ended"]);
});

test("the proof of one sign-in is rejected in another one", async () => {
  const { person, page } = await enter(CHANGE);
  const other = await person.open(createRequest(app).url);
  const proof = /name="proof" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  const token = /name="token" value="([^"]*)"/.exec(other.text)?.[1] ?? "";
  const fields = { token, proof, password: NEW_PASSWORD, repeat: NEW_PASSWORD };
  const refused = await person.post(`${other.url.pathname}/new-password`, fields);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("open for too long");
});

test("a gate cannot be passed by the path of another one", async () => {
  const { person, page } = await enter({ password: PASSWORD, passwordChangeRequired: true });
  const [token, proof] = ["token", "proof"].map(
    (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? "",
  ) as [string, string];
  const path = page.url.pathname.replace(/\/address$/, "");
  const fields = { token, proof, password: NEW_PASSWORD, repeat: NEW_PASSWORD };
  const gate = await person.post(`${path}/new-password`, fields);
  expect(gate.text).toContain("<h1>Confirm your email address</h1>");
});

test("opening the URL of a gate shows the first page", async () => {
  const { person, page } = await enter(CHANGE);
  for (const step of ["", "/new-password", "/address"]) {
    expect((await person.open(page.url.pathname + step)).title).toMatch(/^Sign in to /);
  }
});
