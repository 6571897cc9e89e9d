import { sql } from "kysely";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, VISITED } from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { ACCOUNT, formOf, newPerson, noticeOf, PASSWORD, STALE, signIn } from "./account-scene.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.stopClock();
  service.secret(PASSWORD);
});
afterAll(() => service?.close());

/** Presses a button on the account page. */
const press = (person: Person, page: Page, path: string, fields: Record<string, string> = {}) =>
  person.submit(formOf(page, `${ACCOUNT}/${path}`), fields);

test("without a session, the page redirects to a sign-in, and back", async () => {
  const person = createPerson(service);
  const first = await person.open(ACCOUNT);
  expect([first.url.pathname.startsWith("/ui/sign-in/"), first.title]).toEqual([true, "Sign in to Signet"]);
  const { page, userName } = await newPerson(service, { profile: { firstName: "Ada", lastName: "<Lovelace>" } });
  expect([page.status, page.title, page.url.pathname]).toEqual([200, "Your account", ACCOUNT]);
  for (const text of ["Ada &lt;Lovelace&gt;", userName, "ada@example.com", "None", "The language of your browser"]) {
    expect(page.text).toContain(`<div class="value">${text}</div>`);
  }
  // An organization that everybody is in means nothing to users.
  expect(page.text).not.toContain("Organization");
  expect(page.headers.get("cache-control")).toBe("no-store");
});

test("the path may end with a slash, also before a query", async () => {
  const { person } = await newPerson(service);
  expect((await person.open(`${ACCOUNT}/`)).title).toBe("Your account");
  const { url } = await createPerson(service).open(`${ACCOUNT}/?org=${service.orgId}`);
  expect(url.pathname).toMatch(/^\/ui\/sign-in\//);
  expect((await person.open(`${ACCOUNT}//`)).status).toBe(404);
});

test("a user ends the session of another browser", async () => {
  const { userName, person } = await newPerson(service);
  const { person: other } = await signIn(service, userName);
  const page = await person.open(ACCOUNT);
  expect(page.text.match(/Signed in on /g)).toHaveLength(2);
  const ids = [...page.text.matchAll(/name="id" value="([^"]*)"/g)].map(([, id = ""]) => id);
  expect(ids).toHaveLength(1);
  const ended = await press(person, page, "sessions/end", { id: ids[0] ?? "" });
  expect([noticeOf(ended), ended.text.match(/Signed in on /g)?.length]).toEqual(["You have been signed out there.", 1]);
  // The notice is gone when the page is loaded again.
  expect(noticeOf(await person.open(ACCOUNT))).toBe("");
  expect((await other.open(ACCOUNT)).title).toBe("Sign in to Signet");
  expect((await person.open(ACCOUNT)).title).toBe("Your account");
});

test("a user signs out everywhere else", async () => {
  const { userName, person } = await newPerson(service);
  const others = [await signIn(service, userName), await signIn(service, userName)];
  const page = await person.open(ACCOUNT);
  expect(page.text).toContain(`formaction="${ACCOUNT}/sessions/end-others"`);
  const form = {
    ...page,
    text: formOf(page, `${ACCOUNT}/sign-out`).text.replace("/sign-out", "/sessions/end-others"),
  };
  const ended = await person.submit(form, {});
  expect([ended.title, noticeOf(ended)]).toEqual(["Your account", "You have been signed out everywhere else."]);
  for (const { person: other } of others) expect((await other.open(ACCOUNT)).title).toBe("Sign in to Signet");
  expect((await person.open(ACCOUNT)).text).not.toContain("/sessions/end-others");
});

test("signing out ends the session of this browser only", async () => {
  const { userName, person, page } = await newPerson(service);
  const { person: other } = await signIn(service, userName);
  const signedOut = await press(person, page, "sign-out");
  expect([signedOut.title, signedOut.url.pathname]).toEqual(["You are signed out", `${ACCOUNT}/signed-out`]);
  expect(signedOut.text).toContain(`href="${ACCOUNT}?org=${service.orgId}">Sign in<`);
  expect((await person.open(`${ACCOUNT}/signed-out?org=unknown`)).text).toContain(`href="${ACCOUNT}">Sign in<`);
  expect((await person.open(ACCOUNT)).title).toBe("Sign in to Signet");
  expect((await other.open(ACCOUNT)).title).toBe("Your account");
});

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    "Chrome on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox on Linux"],
  ["<b>".repeat(110), "Unknown browser"],
])("a session is listed with the browser of its sign-in: %#", async (userAgent, description) => {
  const { userName, userId, person } = await newPerson(service);
  const other = createPerson(service, undefined, { "user-agent": userAgent });
  await signIn(service, userName, other);
  expect((await person.open(ACCOUNT)).text).toContain(`>${description}<br>`);
  const { sessions } = await service.sessions.list(userId);
  expect(sessions.map((session) => session.userAgent)).toContain(userAgent.slice(0, 300));
});

test("a session is listed with the time when it was last used for an application", async () => {
  const app = await createRelyingParty(service, { name: "Calendar" });
  const { userId, person } = await newPerson(service);
  const lastSeen = async () => (await service.sessions.list(userId)).sessions[0];
  const before = await lastSeen();
  service.clockOffsetMs += 3_600_000;
  const request = createRequest(app);
  await redeem(service, app, (await person.open(request.url)).url, request);
  const after = await lastSeen();
  service.clockOffsetMs = 0;
  expect(after?.signedInAt).toEqual(before?.signedInAt);
  expect(Number(after?.lastSeenAt) - Number(before?.lastSeenAt)).toBeGreaterThanOrEqual(3_600_000);
});

test("the session is shared with the applications, and a user withdraws the access of one", async () => {
  const apps = [
    await createRelyingParty(service, { name: "Notes" }),
    await createRelyingParty(service, { name: "Wiki" }),
  ];
  const [notes] = apps;
  if (notes === undefined) throw new Error("no application");
  const { person } = await newPerson(service);
  const tokens = [];
  for (const app of apps) {
    const request = createRequest(app);
    tokens.push(await redeem(service, app, (await person.open(request.url)).url, request));
  }
  const page = await person.open(ACCOUNT);
  expect(page.text).toContain("<br>Notes, Wiki<");
  expect(page.text).not.toContain("apps/remove?id=account");
  const form = await person.open(`${ACCOUNT}/apps/remove?id=${notes.id}`);
  expect(form.title).toBe("Remove the access of Notes?");
  const removed = await person.submit(form, {});
  expect(noticeOf(removed)).toBe("The application no longer has access.");
  expect(removed.text).not.toContain("Notes");
  const userInfo = (token: unknown) =>
    fetch(`${service.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  expect((await userInfo(tokens[0]?.access_token)).status).toBe(401);
  expect((await userInfo(tokens[1]?.access_token)).status).toBe(200);
  // The user can sign in to it again.
  const request = createRequest(notes);
  await redeem(service, notes, (await person.open(request.url)).url, request);
  expect((await person.open(ACCOUNT)).text).toContain("Notes");
  const again = await person.submit(formOf(form, `${ACCOUNT}/apps/remove?id=${notes.id}`), { token: "" });
  expect([again.status, again.alert]).toEqual([422, STALE]);
});

test("the access of an application without any, and of other users, cannot be withdrawn", async () => {
  const app = await createRelyingParty(service, { name: "Chess" });
  const { person: owner } = await newPerson(service);
  const request = createRequest(app);
  const tokens = await redeem(service, app, (await owner.open(request.url)).url, request);
  const { person, page } = await newPerson(service);
  const opened = await person.open(`${ACCOUNT}/apps/remove?id=${app.id}`);
  expect([opened.status, opened.alert]).toEqual([422, STALE]);
  const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  const text = `<form method="post" action="${ACCOUNT}/apps/remove?id=${app.id}">`;
  const forged = await person.submit({ ...page, text }, { token });
  expect([forged.status, forged.alert]).toEqual([422, STALE]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  expect((await fetch(`${service.origin}/oidc/v1/userinfo`, { headers })).status).toBe(200);
});

test("the sessions of other users cannot be ended", async () => {
  const { userId: otherId, userName, person: other } = await newPerson(service);
  await signIn(service, userName);
  const { person } = await newPerson(service);
  const { sessions } = await service.sessions.list(otherId);
  const page = await person.open(ACCOUNT);
  const text = formOf(page, `${ACCOUNT}/sign-out`).text.replace("/sign-out", "/sessions/end");
  for (const { id } of sessions) await person.submit({ ...page, text }, { id });
  expect((await other.open(ACCOUNT)).title).toBe("Your account");
  expect((await service.sessions.list(otherId)).total).toBe(2);
});

test("of 10,000 sessions, the page lists 50, and all others end at once", async () => {
  const { userId, person } = await newPerson(service);
  await service.db
    .insertInto("oidc_artifacts")
    .columns(["kind", "key", "payload", "user_id", "session_uid", "created_at", "expires_at"])
    .expression(
      sql`select 'Session', decode(md5(n::text), 'hex'),
        jsonb_build_object('startedTs', 1, 'loginTs', 1, 'accountId', ${userId}::text, 'authorizations', jsonb_build_object()),
        ${userId}::uuid, 'session-' || n, now(), now() + interval '1 hour' from generate_series(1, 10000) as n`,
    )
    .execute();
  const page = await person.open(ACCOUNT);
  expect(page.text.match(/Signed in on /g)).toHaveLength(50);
  expect(page.text).toContain("Not shown: 9951 more.");
  // This browser comes first.
  expect(page.text.indexOf("This browser")).toBeLessThan(page.text.indexOf(`action="${ACCOUNT}/sessions/end"`));
  const text = formOf(page, `${ACCOUNT}/sign-out`).text.replace("/sign-out", "/sessions/end-others");
  await person.submit({ ...page, text }, {});
  expect((await service.sessions.list(userId)).total).toBe(1);
});

test("an ended sign-in to the page offers to start again", async () => {
  const page = await createPerson(service).open("/ui/sign-in/unknown?app=account");
  expect(page.status).toBe(410);
  expect(page.text).toContain('href="/ui/account">Start again at Signet<');
});

test("a deactivated user is signed out", async () => {
  const { userId, person } = await newPerson(service);
  await call(service, "DeactivateUser", { id: userId });
  expect((await person.open(ACCOUNT)).title).toBe("Sign in to Signet");
});

test("a link with an organization redirects to the sign-in of its users", async () => {
  const orgId = await service.createOrg("Acme");
  const page = await createPerson(service).open(`${ACCOUNT}?org=${orgId}`);
  expect(page.text).toContain('<p class="brand">Acme</p>');
});

test("a user who cancels, or follows a link with an unknown organization, can sign in again", async () => {
  const person = createPerson(service);
  const canceled = await person.submit(await person.open(ACCOUNT), { do: "cancel" });
  for (const page of [canceled, await person.open(`${ACCOUNT}?org=unknown`)]) {
    expect(page.status).toBe(403);
    expect(page.title).toContain("You are not signed in");
    expect(page.text).toContain('href="/ui/account">Sign in<');
  }
});

test("a browser that keeps no cookies gets a page that says so, not a loop", async () => {
  const page = await createPerson(service).open(`${ACCOUNT}/signed-in?code=x`);
  expect(page.status).toBe(403);
  expect(page.title).toContain("Your browser blocks cookies");
});

test.each([
  ["de", "Ihr Konto"],
  ["fr", "Votre compte"],
  ["es", "Su cuenta"],
])("the page is in the language of the browser: %s", async (language, title) => {
  const { userName } = await newPerson(service);
  const person = createPerson(service, undefined, { "accept-language": language });
  expect((await signIn(service, userName, person)).page.title).toBe(title);
});

test("the page is in the user's language, if the user has one", async () => {
  const profile = { firstName: "Ada", lastName: "Lovelace", preferredLanguage: "fr-CH" };
  expect((await newPerson(service, { profile })).page.title).toBe("Votre compte");
});
