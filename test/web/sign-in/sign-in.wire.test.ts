import { connect } from "node:http2";
import { sql } from "kysely";
import { ATTEMPT_LIMITS } from "../../../src/sign-in/attempt-limit.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, eventsAfter, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { BCRYPT } from "../../support/clients/requests.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const ADA = { ...VERIFIED, password: PASSWORD };
/** That of a person of the tests. */
const NETWORK = { network: expect.stringMatching(/^10\.1\.\d+\.0\/24$/) };
const FAILED = "Email, user name or password is incorrect.";

async function start(environment: Record<string, string> = {}) {
  const service = await startService("postgres", { ...VISITED, ...environment });
  service.secret(PASSWORD);
  service.stopClock();
  return { service, app: await createRelyingParty(service, { name: "Notes <1>" }) };
}

/** Opens the sign-in page of an application. */
async function openSignIn(app: RelyingParty, person: Person, parameters: Record<string, string> = {}) {
  const request = createRequest(app, parameters);
  return { request, page: await person.open(request.url) };
}

let service: TestService;
let app: RelyingParty;
beforeAll(async () => {
  ({ service, app } = await start());
  await importAda(service, { userName: "ada", ...ADA });
});
afterAll(() => service?.close());

test("a user signs in to an application with user name and password", async () => {
  const userId = await importAda(service, { userName: "Grace Hopper", ...ADA });
  const { sequence } = await userOf(service, userId);
  const person = createPerson(service);
  const { request, page } = await openSignIn(app, person);
  expect([page.status, page.title]).toEqual([200, "Sign in to Notes &lt;1&gt;"]);
  expect(page.text).toContain("<title>Sign in to Notes &lt;1&gt; · Signet</title>");
  expect(page.text).not.toMatch(/>\s*default\s*</);
  const { url } = await person.submit(page, { username: " grace  HOPPER", password: PASSWORD });
  const tokens = await redeem(service, app, url, request);
  expect(tokens.claims()).toMatchObject({ sub: userId, amr: ["pwd"] });
  expect(await eventsAfter(service, userId, sequence)).toEqual([
    ["user.human.password.check.succeeded", { failures: 0, ...NETWORK }],
    ["user.human.signed.in", { appId: app.id, methods: ["pwd"], ...NETWORK }],
  ]);
});

test("a sign-in with a password writes the user once", async () => {
  const userId = await importAda(service, { userName: "once", ...ADA });
  const { sequence } = await userOf(service, userId);
  await attempt("once", "wrong");
  expect((await attempt("once", PASSWORD)).url.searchParams.get("code")).not.toBeNull();
  const { rows } = await sql<{ type: string; change: number }>`
    select type, dense_rank() over (order by xmin::text::bigint)::int as change from events
    where aggregate_id = ${userId} and sequence > ${sequence} order by sequence`.execute(service.db);
  expect(rows).toEqual([
    { type: "user.human.password.check.failed", change: 1 },
    { type: "user.human.password.check.succeeded", change: 2 },
    { type: "user.human.signed.in", change: 2 },
  ]);
});

test("the events say from which network and browser a sign-in comes, and not from which client", async () => {
  const userId = await importAda(service, { userName: "katherine", ...ADA });
  const { sequence } = await userOf(service, userId);
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const person = createPerson(service, "2001:db8:1:2::3", { "user-agent": userAgent });
  await attempt("katherine", "wrong", person);
  await attempt("katherine", PASSWORD, person);
  const origin = { network: "2001:db8:1::/48", browser: "Firefox", system: "Linux" };
  expect(await eventsOf(userId, sequence)).toEqual([
    ["user.human.password.check.failed", { failures: 1, knownDevice: false, ...origin }],
    ["user.human.password.check.succeeded", { failures: 1, ...origin }],
    ["user.human.signed.in", { appId: app.id, methods: ["pwd"], ...origin }],
  ]);
});

async function eventsOf(userId: string, sequence: bigint) {
  const rows = await service.db
    .selectFrom("events")
    .select(["type", "payload"])
    .where("aggregate_id", "=", userId)
    .where("sequence", ">", sequence)
    .orderBy("sequence")
    .execute();
  return rows.map(({ type, payload }) => [type, payload]);
}

test("a wrong password is rejected, and the correct one is accepted afterwards", async () => {
  const userId = await importAda(service, { userName: "hedy", ...ADA });
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  const refused = await person.submit(page, { username: "hedy", password: "wrong", remember: "yes" });
  expect([refused.status, refused.alert]).toEqual([422, FAILED]);
  expect(refused.text).toContain("<title>Error: Sign in to ");
  expect(refused.text).toContain('value="hedy"');
  expect(refused.text).toContain('value="yes" checked');
  expect(refused.text).not.toContain("wrong");
  const { url } = await person.submit(refused, { username: "hedy", password: PASSWORD });
  expect(url.searchParams.get("code")).not.toBeNull();
  const types = await service.db.selectFrom("events").select("type").where("aggregate_id", "=", userId).execute();
  expect(types.map(({ type }) => type)).toContain("user.human.password.check.failed");
});

async function attempt(username: string, password: string, person = createPerson(service)): Promise<Page> {
  const { page } = await openSignIn(app, person);
  return person.submit(page, { username, password });
}

test("a password signs in that another keyboard composes differently", async () => {
  const password = "Zürich, Straße no. 1";
  await importAda(service, { userName: "marie", ...VERIFIED, password: password.normalize("NFC") });
  expect((await attempt("marie", password.normalize("NFD"))).url.searchParams.has("code")).toBe(true);
  expect((await attempt("marie", password.replace("ü", "u"))).alert).toBe(FAILED);
});

test("the response is the same for every reason that must not be revealed", async () => {
  const users = { none: VERIFIED, inactive: ADA, locked: ADA };
  const ids = await Promise.all(
    Object.entries(users).map(([userName, fields]) => importAda(service, { userName, ...fields })),
  );
  await call(service, "DeactivateUser", { id: ids[1] ?? "" });
  await call(service, "LockUser", { id: ids[2] ?? "" });
  const other = await service.createOrg("other");
  await service.db
    .updateTable("users")
    .set({ org_id: other })
    .where("id", "=", await importAda(service, { userName: "foreign", ...ADA }))
    .execute();
  const normal = (page: Page, name: string) => ({
    status: page.status,
    text: page.text
      .replaceAll(page.url.pathname, "/ui/sign-in/id")
      .replaceAll(/name="token" value="[^"]*"/g, "")
      .replaceAll(/challenge&quot;:&quot;[\w-]*/g, "")
      .replaceAll(`value="${name}"`, ""),
    headers: [...page.headers.keys()].filter((header) => !/^(date|content-length)$/.test(header)),
  });
  const wrong = normal(await attempt("ada", "a wrong password"), "ada");
  expect(wrong.status).toBe(422);
  for (const [name, password] of [
    ["nobody", PASSWORD],
    ["none", PASSWORD],
    ["none", ""],
    ["ada", ""],
    ["inactive", PASSWORD],
    ["locked", PASSWORD],
    ["foreign", PASSWORD],
    ["admin", PASSWORD],
    ["x".repeat(10_000), PASSWORD],
  ] as const) {
    expect([name.slice(0, 10), normal(await attempt(name, password), name)]).toEqual([name.slice(0, 10), wrong]);
  }
});

test.each([
  ["en", "Sign in to Notes &lt;1&gt;", FAILED],
  ["de", "Bei Notes &lt;1&gt; anmelden", "E‑Mail, Benutzername oder Passwort ist falsch."],
  ["fr", "Se connecter à Notes &lt;1&gt;", "Identifiant ou mot de passe incorrect."],
  ["es", "Iniciar sesión en Notes &lt;1&gt;", "Correo, usuario o contraseña incorrectos."],
])("the page is in the language of the application, else of the browser: %s", async (language, title, failed) => {
  for (const [parameters, headers] of [
    [{ ui_locales: `xx ${language}-CH` }, { "accept-language": "ja" }],
    [{}, { "accept-language": `${language};q=0.9` }],
  ] as [Record<string, string>, Record<string, string>][]) {
    const person = createPerson(service, undefined, headers);
    const { page } = await openSignIn(app, person, parameters);
    expect(page.title).toBe(title);
    expect((await person.submit(page, { username: "ada", password: "x" })).alert).toBe(failed);
  }
});

test("the form serves password managers, and suggests the application's user name", async () => {
  const { page } = await openSignIn(app, createPerson(service), { login_hint: 'ada"<' });
  expect(page.text).toMatch(/<input id="username"[^>]* value="ada&quot;&lt;" autocomplete="username webauthn"/);
  expect(page.text).toMatch(/<input id="password"[^>]* type="password" autocomplete="current-password"/);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  // Otherwise an application could not open the sign-in in a separate window.
  expect(page.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
});

test('without "keep me signed in" the session ends with the browser', async () => {
  for (const [remember, isKept] of [
    ["yes", true],
    ["", false],
  ] as const) {
    const person = createPerson(service);
    const { page } = await openSignIn(app, person);
    const form = { token: tokenOf(page), username: "ada", password: PASSWORD, remember };
    const done = await person.browser.post(String(page.url), form);
    const resumed = await person.browser.open(done.location);
    const session = resumed.headers.getSetCookie().find((cookie) => cookie.startsWith("signet-session="));
    expect([remember, /expires=/i.test(session ?? "")]).toEqual([remember, isKept]);
  }
});

test("canceling returns to the application with an error", async () => {
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  const { url } = await person.submit(page, { do: "cancel" });
  expect(url.origin).toBe("https://app.example.com");
  expect(url.searchParams.get("error")).toBe("access_denied");
});

test("a form without its token, or with the token of another sign-in, has no effect", async () => {
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  const { page: other } = await openSignIn(app, person);
  const before = await service.db.selectFrom("rate_limits").selectAll().orderBy("key").execute();
  for (const token of ["", "x", tokenOf(other)]) {
    const refused = await person.submit(page, { username: "ada", password: PASSWORD, token });
    expect([refused.status, refused.alert]).toEqual([422, "This page was open for too long. Please sign in again."]);
    const { url } = await person.submit(page, { do: "cancel", token });
    expect(url.pathname).toBe(page.url.pathname);
  }
  expect(await service.db.selectFrom("rate_limits").selectAll().orderBy("key").execute()).toEqual(before);
  const fresh = await person.submit(page, { username: "ada", password: PASSWORD });
  expect(fresh.url.searchParams.get("code")).not.toBeNull();
});

test("a form of another site is rejected", async () => {
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  const body = new URLSearchParams({ token: tokenOf(page), username: "ada", password: PASSWORD });
  for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
    const { status } = await person.browser.open(String(page.url), { method: "POST", headers, body });
    expect(status).toBe(403);
  }
});

test("two tabs can sign in to two applications", async () => {
  const other = await createRelyingParty(service, { name: "Tasks" });
  const person = createPerson(service);
  const [first, second] = [await openSignIn(app, person), await openSignIn(other, person)];
  const one = await person.submit(first.page, { username: "ada", password: PASSWORD });
  const two = await person.submit(second.page, { username: "ada", password: PASSWORD });
  await redeem(service, app, one.url, first.request);
  await redeem(service, other, two.url, second.request);
});

test.each([
  [
    "completed",
    async (person: Person, page: Page) => void (await person.submit(page, { username: "ada", password: PASSWORD })),
  ],
  ["of another browser", async (person: Person) => person.browser.forget("signet-interaction")],
  [
    "expired",
    async () => {
      service.clockOffsetMs += 3_600_000;
    },
  ],
])("a sign-in that is %s offers to start again at the application", async (_, end) => {
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  await end(person, page);
  const posted = await person.submit(page, { username: "ada", password: PASSWORD });
  for (const ended of [posted, await person.open(page.url)]) {
    expect([ended.status, ended.title]).toEqual([410, "This sign-in has ended"]);
    expect(ended.text).toContain('href="https://app.example.com/">Start again at Notes &lt;1&gt;<');
  }
  const withoutApp = await person.open(page.url.pathname);
  expect(withoutApp.text).toContain("Please go back to the application and start again.");
});

test("an unknown step or id has a separate page", async () => {
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  expect((await person.open(`${page.url.pathname}/other`)).status).toBe(404);
  expect((await person.open("/ui/sign-in/")).status).toBe(404);
  expect((await person.open("/ui/sign-in/unknown?app=unknown")).status).toBe(410);
});

test("the log contains neither the id of a sign-in nor what was entered", async () => {
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  await person.submit(page, { username: "ada", password: "wrong password" });
  const id = page.url.pathname.split("/").at(-1) ?? "";
  const log = JSON.stringify(service.logs);
  expect(log).toContain("/ui/sign-in/…");
  expect(log).not.toContain(id);
  expect(log).not.toContain("wrong password");
});

test("a request for the same user fails for any other user", async () => {
  const joan = await importAda(service, { userName: "joan", ...ADA });
  const { sequence } = await userOf(service, joan);
  const person = createPerson(service);
  await person.submit((await openSignIn(app, person)).page, { username: "ada", password: PASSWORD });
  const { page } = await openSignIn(app, person, { prompt: "login" });
  expect(page.text).toContain('value="ada"');
  const refused = await person.submit(page, { username: "joan", password: PASSWORD });
  expect([refused.status, refused.alert]).toEqual([
    422,
    "The application requires a different account. Please sign in as ada.",
  ]);
  expect((await eventsAfter(service, joan, sequence)).map(([type]) => type)).toEqual([
    "user.human.password.check.succeeded",
  ]);
  const { url } = await person.submit(refused, { username: "ada", password: PASSWORD });
  expect(url.searchParams.get("code")).not.toBeNull();
});

test("too many attempts are rejected with the time to wait, even with the correct password", async () => {
  await importAda(service, { userName: "rosalind", ...ADA });
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  for (let count = 0; count < ATTEMPT_LIMITS.pair.free; count++) {
    expect((await person.submit(page, { username: "rosalind", password: "x" })).status).toBe(422);
  }
  service.clockOffsetMs += 1;
  await person.submit(page, { username: "rosalind", password: "x" });
  const refused = await person.submit(page, { username: "rosalind", password: PASSWORD });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toMatch(/^[12]$/);
  expect(refused.alert).toMatch(/^Too many attempts\. Try again in [12] seconds?\.$/);
});

test("unknown names are slowed down like all others", async () => {
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  const statuses = async (username: string) => {
    const pages: Page[] = [];
    for (let count = 0; count < 12; count++) pages.push(await person.submit(page, { username, password: "x" }));
    return pages.map(({ status }) => status);
  };
  await importAda(service, { userName: "lise", ...ADA });
  const known = await statuses("lise");
  expect(await statuses("nobody at all")).toEqual(known);
  expect(known).toContain(429);
});

test("attackers at ten addresses cannot lock a user out of a known device", async () => {
  const userId = await importAda(service, { userName: "emmy", ...ADA });
  const owner = createPerson(service);
  expect((await attempt("emmy", PASSWORD, owner)).url.searchParams.get("code")).not.toBeNull();
  const { sequence } = await userOf(service, userId);
  const strangers = Array.from({ length: 10 }, () => createPerson(service));
  const statuses: number[] = [];
  for (let round = 0; round < 4; round++) {
    for (const stranger of strangers) statuses.push((await attempt("emmy", "guess", stranger)).status);
  }
  expect(statuses.filter((status) => status === 422).length).toBeLessThan(ATTEMPT_LIMITS.account.free + 5);
  expect((await attempt("emmy", PASSWORD, createPerson(service))).status).toBe(429);
  const { page } = await openSignIn(app, owner, { prompt: "login" });
  const { url } = await owner.submit(page, { username: "emmy", password: PASSWORD });
  expect(url.searchParams.get("code")).not.toBeNull();
  // Only two events record the guesses.
  const failed = await service.db
    .selectFrom("events")
    .select("payload")
    .where("aggregate_id", "=", userId)
    .where("type", "=", "user.human.password.check.failed")
    .where("sequence", ">", sequence)
    .execute();
  expect(failed.map(({ payload }) => payload)).toEqual([
    { failures: 1, knownDevice: false, network: expect.stringMatching(/\/24$/) },
    { failures: 10, knownDevice: false, network: expect.stringMatching(/\/24$/) },
  ]);
});

test("a correct password replaces a weaker or imported hash by a current one", async () => {
  const hash = BCRYPT;
  const userId = await importAda(service, { userName: "upgraded", ...VERIFIED, hashedPassword: { value: hash } });
  await service.db.updateTable("users").set({ password_hash: MD5_CRYPT }).where("id", "=", userId).execute();
  const { sequence } = await userOf(service, userId);
  const { url } = await attempt("upgraded", "password");
  expect(url.searchParams.get("code")).not.toBeNull();
  const user = await userOf(service, userId);
  expect(user.password_hash).toMatch(/^\$2b\$04\$/);
  expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual([
    "user.human.password.check.succeeded",
    "user.human.password.upgraded",
    "user.human.signed.in",
  ]);
  expect((await attempt("upgraded", "password")).url.searchParams.get("code")).not.toBeNull();
});

test("concurrent sign-ins succeed while one of them replaces the hash", async () => {
  const userId = await importAda(service, { userName: "replaced", ...VERIFIED, hashedPassword: { value: BCRYPT } });
  await service.db.updateTable("users").set({ password_hash: MD5_CRYPT }).where("id", "=", userId).execute();
  const { sequence } = await userOf(service, userId);
  const signedIn = await Promise.all(Array.from({ length: 4 }, () => attempt("replaced", "password")));
  expect(signedIn.filter(({ url }) => url.searchParams.has("code"))).toHaveLength(4);
  const types = (await eventsAfter(service, userId, sequence)).map(([type]) => type);
  const count = (name: string) => types.filter((type) => type === `user.human.${name}`).length;
  expect([count("password.check.succeeded"), count("password.upgraded"), count("signed.in")]).toEqual([4, 1, 4]);
});

test("the pages work over HTTP/2, with cookies in fields of their own", async () => {
  const person = createPerson(service);
  const { page } = await openSignIn(app, person);
  const session = connect(service.origin);
  const cookies = person.browser.cookies(page.url.pathname).split("; ");
  const stream = session.request({ ":path": page.url.pathname, cookie: cookies });
  const [headers] = await new Promise<[Record<string, unknown>]>((resolve) =>
    stream.once("response", (received) => resolve([received])),
  );
  session.destroy();
  expect(headers[":status"]).toBe(200);
});

/** The output of `openssl passwd -1 -salt saltsalt password`. */
const MD5_CRYPT = "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/";

function tokenOf({ text }: Page): string {
  return /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";
}
