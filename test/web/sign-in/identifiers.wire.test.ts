import { ATTEMPT_LIMITS } from "../../../src/sign-in/attempt-limit.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, importAda, received, VISITED } from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const FAILED = "Email, user name or password is incorrect.";
/** Swiss browsers dial national numbers. */
const SWISS = { "accept-language": "en-CH,en;q=0.9,de-DE;q=0.5" };

const withEmail = (email: string, isEmailVerified = true) => ({
  password: PASSWORD,
  email: { email, isEmailVerified },
});
const withPhone = (phone: string, isPhoneVerified = true) => ({
  ...withEmail("phone-owner@example.com"),
  phone: { phone, isPhoneVerified },
});

let service: TestService;
let app: RelyingParty;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  service.stopClock();
  app = await createRelyingParty(service);
  await importAda(service, { userName: "7922288", ...withEmail("digits@example.com") });
});
afterAll(() => service?.close());

const newPerson = (headers?: Record<string, string>) => createPerson(service, undefined, headers);

async function attempt(username: string, password = PASSWORD, person = newPerson()): Promise<Page> {
  return person.submit(await person.open(createRequest(app).url), { username, password });
}

/** Signs in, and returns the id of the user. */
async function signIn(username: string, person: Person = newPerson()) {
  const request = createRequest(app);
  const { url } = await person.submit(await person.open(request.url), { username, password: PASSWORD });
  return (await redeem(service, app, url, request)).claims()?.sub;
}

async function askForLink(username: string, person = newPerson()): Promise<Page> {
  const page = await person.open(createRequest(app).url);
  return person.submit(await person.open(String(page.url).replace("?", "/forgotten?")), { username });
}

/** A name that no call accepts for the user any more, but that an earlier version has. */
const setName = (userId: string, name: string) =>
  service.db.updateTable("users").set({ user_name: name, user_name_key: name }).where("id", "=", userId).execute();

const links = async (userId: string) => (await received(service, userId, "password")).length;

test("a user signs in with the user name, the email address or the phone number", async () => {
  const phone = { phone: "+41791112233", isPhoneVerified: true };
  const userId = await importAda(service, { userName: "ada", ...withEmail("Ada@Example.com"), phone });
  for (const [entered, headers] of [
    ["ADA", {}],
    [" ada@example.COM ", {}],
    ["+41 79 111 22 33", {}],
    ["tel:+41-79-111-22-33", {}],
    ["079 111 22 33", SWISS],
    ["(079) 111-22-33", { "accept-language": "it-CH" }],
  ] as const) {
    expect([entered, await signIn(entered, newPerson(headers))]).toEqual([entered, userId]);
  }
});

test("a user gets a link for a new password with the address or the number too", async () => {
  const phone = { phone: "+41791112244", isPhoneVerified: true };
  const userId = await importAda(service, { userName: "joan", ...withEmail("joan@example.com"), phone });
  for (const [entered, headers] of [
    ["JOAN@example.com", {}],
    ["079 111 22 44", SWISS],
  ] as const) {
    const before = await links(userId);
    const sent = await askForLink(entered, newPerson(headers));
    expect([sent.title, sent.text]).toEqual(["Check your email", expect.stringContaining("enter the user name")]);
    expect(await links(userId)).toBe(before + 1);
    service.clockOffsetMs += 60_000;
  }
});

test("the user name comes first, then the address, then the number", async () => {
  const addressed = await importAda(service, { userName: "grace", ...withEmail("grace@example.com") });
  const numbered = await importAda(service, { userName: "numbered", ...withPhone("+41791112255") });
  const named = await importAda(service, { userName: "named 1", ...withEmail("other@example.com") });
  const nameOfNumber = await importAda(service, { userName: "named 2", ...withEmail("named@example.com") });
  await setName(named, "grace@example.com");
  await setName(nameOfNumber, "+41791112255");
  expect(await signIn("grace@example.com")).toBe(named);
  expect(await signIn("grace")).toBe(addressed);
  expect(await signIn("+41791112255")).toBe(nameOfNumber);
  expect(await signIn("+41 79 111 22 55")).toBe(numbered);
});

test("only verified addresses and numbers of active users of the organization find a user", async () => {
  await importAda(service, { userName: "unverified", ...withEmail("unverified@example.com", false) });
  await importAda(service, { userName: "unverified number", ...withPhone("+41791112266", false) });
  const id = await importAda(service, { userName: "locked", ...withEmail("locked@example.com") });
  await call(service, "LockUser", { id });
  const foreign = await importAda(service, { userName: "foreign", ...withEmail("foreign@example.com") });
  const orgId = await service.createOrg("other");
  await service.db.updateTable("users").set({ org_id: orgId }).where("id", "=", foreign).execute();
  for (const entered of [
    "unverified@example.com",
    "+41791112266",
    "locked@example.com",
    "foreign@example.com",
    "079 111 22 66",
    "@",
    "",
  ]) {
    const { status, alert } = await attempt(entered, PASSWORD, newPerson(SWISS_IN_ENGLISH));
    expect([entered, status, alert]).toEqual([entered, 422, FAILED]);
  }
});

test("an address of several users finds none of them, which looks like a wrong password", async () => {
  const first = await importAda(service, { userName: "shared 1", ...withEmail("shared@example.com") });
  const second = await importAda(service, { userName: "shared 2", ...withEmail("SHARED@example.com") });
  const same = await importAda(service, { userName: "both@example.com", ...withEmail("both@example.com") });
  await importAda(service, { userName: "both", ...withEmail("both@example.com") });
  const refused = await attempt("shared@example.com");
  expect(refused.text).toContain("Shared address? Enter your user name.");
  expect(normal(refused)).toEqual(normal(await attempt("nobody@example.com")));
  expect(normal(await askForLink("shared@example.com"))).toEqual(normal(await askForLink("nobody@example.com")));
  expect(await links(first)).toBe(0);
  expect(await signIn("shared 1")).toBe(first);
  expect(await signIn("both@example.com")).toBe(same);
  await call(service, "DeactivateUser", { id: first });
  expect(await signIn("shared@example.com")).toBe(second);
});

test("a user whose name is another user's address cannot sign in to that account, nor get its link", async () => {
  const owner = await importAda(service, { userName: "owner", ...withEmail("owner@example.com") });
  const other = await importAda(service, {
    userName: "other owner",
    email: { email: "attacker@example.com", isEmailVerified: true },
    password: "another password 7",
  });
  await setName(other, "owner@example.com");
  expect((await attempt("owner@example.com")).alert).toBe(FAILED);
  await askForLink("owner@example.com");
  expect([await links(owner), await links(other)]).toEqual([0, 1]);
  expect(await signIn("owner")).toBe(owner);
});

test("attempts count for the user, whatever was entered", async () => {
  const phone = { phone: "+41791112277", isPhoneVerified: true };
  await importAda(service, { userName: "emmy", ...withEmail("emmy@example.com"), phone });
  const person = newPerson(SWISS);
  const entered = ["emmy", "emmy@example.com", "+41791112277", "079 111 22 77"];
  for (let count = 0; count < ATTEMPT_LIMITS.pair.free; count++) {
    expect((await attempt(entered[count % 4] ?? "", "wrong", person)).status).toBe(422);
  }
  expect((await attempt("emmy", "wrong", person)).status).toBe(429);
  expect((await attempt("emmy@example.com", PASSWORD, person)).status).toBe(429);
  expect((await attempt("emmy", PASSWORD, newPerson())).url.searchParams.has("code")).toBe(true);
});

test.each([
  ["an unknown number in two spellings", ["+41791119988", "079 111 99 88"], [SWISS, SWISS]],
  ["unknown digits in two regions", ["7911199", "7911199"], [SWISS, { "accept-language": "en-US" }]],
  ["a user name of digits in two regions", ["7922288", "7922288"], [SWISS, { "accept-language": "en-US" }]],
  ["an unknown address in two cases", ["nobody@example.org", "NOBODY@example.org"], [SWISS, SWISS]],
])("%s is slowed down like all others", async (_, [first = "", second = ""], headers) => {
  const address = `198.51.100.${++addresses}`;
  const [one, two] = headers.map((header) => createPerson(service, address, header));
  for (let count = 0; count < ATTEMPT_LIMITS.pair.free; count++) await attempt(first, "wrong", one);
  expect((await attempt(second, "wrong", two)).status).toBe(429);
});

let addresses = 0;

test("an application can suggest an address, and the page says that it takes one", async () => {
  const person = newPerson({ "accept-language": "de" });
  const page = await person.open(createRequest(app, { login_hint: "ada@example.com" }).url);
  expect(page.text).toContain('<label for="username">E‑Mail oder Benutzername</label>');
  expect(page.text).toMatch(/<input id="username"[^>]* value="ada@example.com"[^>]* autocomplete="username webauthn"/);
});

/** A region in which the entered number is another one. */
const SWISS_IN_ENGLISH = { "accept-language": "en-US,en;q=0.9,de-CH;q=0.8" };

/** A page without what differs between all pages. */
function normal({ status, text, url }: Page) {
  return {
    status,
    text: text
      .replaceAll(url.pathname.replace("/forgotten", ""), "/id")
      .replaceAll(/name="token" value="[^"]*"/g, "")
      .replaceAll(/challenge&quot;:&quot;[\w-]*/g, "")
      .replaceAll(/name="username" value="[^"]*"|value="\w+@example.com"/g, ""),
  };
}
