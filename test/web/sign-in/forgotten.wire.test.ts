import { createPerson, type Page } from "../../support/browsers/person.ts";
import { call, importAda, lastReceived, received, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const ADA = { ...VERIFIED, password: PASSWORD };
const SENT = "Check your email";
const MINUTE_MS = 60_000;

let service: TestService;
let app: RelyingParty;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.stopClock();
  for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
  app = await createRelyingParty(service);
});
afterAll(() => service?.close());

/** Opens the page from the link of the sign-in page. */
async function openForgotten(person = createPerson(service)) {
  const signIn = await person.open(createRequest(app).url);
  return { person, signIn, page: await person.open(forgottenOf(signIn)) };
}

test("what was entered is kept on the way there and back", async () => {
  const person = createPerson(service);
  const signIn = await person.open(createRequest(app, { login_hint: "hint" }).url);
  // The button has an action of its own.
  const pressed = { ...signIn, text: signIn.text.replace(/ action="[^"]*"/, ` action="${forgottenOf(signIn)}"`) };
  const fields = { username: 'a"da', password: PASSWORD, do: "forgotten" };
  const { title, text } = await person.submit(pressed, fields);
  expect(title).toBe("Forgot your password?");
  expect(text).toMatch(/<input id="username"[^>]* value="a&quot;da"/);
  expect(text).not.toContain(PASSWORD);
  const page = await person.open(forgottenOf(signIn));
  expect(page.text).toMatch(/<input id="username"[^>]* value="hint"/);
  const sent = await person.submit(page, { username: 'a"da' });
  expect(sent.title).toBe(SENT);
  for (const before of [page, sent]) {
    const back = await person.submit(before, { username: 'a"da', do: "back" });
    expect(back.text).toMatch(/<input id="username"[^>]* value="a&quot;da"[^>]* autocomplete="username webauthn"/);
  }
});

const ask = async (username: string): Promise<Page> => {
  const { person, page } = await openForgotten();
  return person.submit(page, { username });
};

test("a user sets a new password with the link, and signs in with it on the same page", async () => {
  const userId = await importAda(service, { userName: "ada", ...ADA });
  const { person, signIn, page } = await openForgotten();
  expect([page.status, page.title]).toEqual([200, "Forgot your password?"]);
  const sent = await person.submit(page, { username: " ADA " });
  expect([sent.status, sent.title]).toEqual([200, SENT]);
  const { code, path } = await lastReceived(service, userId, "password");
  expect((await person.open(path)).text).toContain("<dd>ada</dd>");
  const done = await person.browser.post("/ui/password", { code, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
  service.secret(new URL(done.location, "http://id").searchParams.get("code")?.split(".")[1] ?? "");
  // In this browser, the page leads back to the sign-in of the application.
  const [, back = ""] = /class="button" href="([^"]*)">Sign in</.exec((await person.open(done.location)).text) ?? [];
  expect((await person.open(back)).title).toBe(signIn.title);
  const elsewhere = await createPerson(service).open(done.location);
  expect(elsewhere.text).toContain(`href="/ui/next?org=${service.orgId}">Sign in<`);
  // Failures of others no longer delay the user in this browser.
  expect(done.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^signet-device=.*; HttpOnly; SameSite=Lax$/),
  );
  const { url } = await person.submit(signIn, { username: "ada", password: NEW_PASSWORD });
  expect(url.searchParams.has("code")).toBe(true);
});

test("the response is the same whether or not a link is sent", async () => {
  const fields = { known: ADA, unverified: { password: PASSWORD }, locked: ADA, none: { email: ADA.email } };
  const ids: Record<string, string> = {};
  for (const [userName, user] of Object.entries(fields))
    ids[userName] = await importAda(service, { userName, ...user });
  await call(service, "LockUser", { id: ids.locked ?? "" });
  const normal = ({ status, text, url }: Page) => [
    status,
    text
      .replaceAll(url.pathname.replace("/forgotten", ""), "/id")
      .replaceAll(/name="(token|username)" value="[^"]*"/g, ""),
  ];
  const expected = normal(await ask("known"));
  for (const name of ["unverified", "locked", "none", "nobody", "known", "admin", "x".repeat(9_000)]) {
    expect([name.slice(0, 12), normal(await ask(name))]).toEqual([name.slice(0, 12), expected]);
  }
  const counts = Object.entries(ids).map(async ([name, id]) => [
    name,
    (await received(service, id, "password")).length,
  ]);
  expect(Object.fromEntries(await Promise.all(counts))).toEqual({ known: 1, unverified: 0, locked: 0, none: 1 });
});

describe("a user who never had a password, and whose address is not verified,", () => {
  const newUser = async (userName: string, fields: object = {}) => {
    const email = { email: `${userName}@example.org` };
    return await importAda(service, { userName, email, message: "MESSAGE_NONE", ...fields });
  };
  const links = async (userId: string) => (await received(service, userId, "initialization")).length;

  test("gets the initialization email by name or address, and sets a first password", async () => {
    const userId = await newUser("new-1");
    const expected = (await ask("nobody")).text.replaceAll(/(value|action)="[^"]*"/g, "");
    for (const [count, entered] of ["new-1", " NEW-1@example.org "].entries()) {
      service.clockOffsetMs += MINUTE_MS;
      const page = await ask(entered);
      expect([page.title, page.text.replaceAll(/(value|action)="[^"]*"/g, "")]).toEqual([SENT, expected]);
      expect(await links(userId)).toBe(count + 1);
    }
    const { code } = await lastReceived(service, userId, "initialization");
    const done = await createPerson(service).browser.post("/ui/init", {
      ...{ code, password: NEW_PASSWORD, repeat: NEW_PASSWORD },
    });
    expect(done.location).toContain("done=confirmedAndPasswordSet");
  });

  test("gets at most one in a minute, and five in a day", async () => {
    const userId = await newUser("new-2");
    for (let asked = 0; asked < 7; asked++) {
      await ask("new-2");
      await ask("new-2");
      service.clockOffsetMs += MINUTE_MS;
    }
    expect(await links(userId)).toBe(5);
  });

  test("gets none if locked, initialized, or one of several with the address", async () => {
    const email = { email: "shared@example.org" };
    const [one, two, locked] = [await newUser("a", { email }), await newUser("b", { email }), await newUser("c")];
    await call(service, "LockUser", { id: locked });
    const withPassword = await newUser("d", { password: PASSWORD });
    for (const entered of ["shared@example.org", "c", "c@example.org", "d", "d@example.org"]) await ask(entered);
    for (const userId of [one, two, locked, withPassword]) expect(await links(userId)).toBe(0);
  });
});

test("a user who is asked for a link again and again still gets one per hour, and one from each call", async () => {
  const userId = await importAda(service, { userName: "grace", ...ADA });
  const messages = async () => (await received(service, userId, "password")).length;
  for (let sent = 1; sent <= 5; sent++) {
    await ask("grace");
    service.clockOffsetMs += MINUTE_MS;
  }
  await ask("grace");
  expect(await messages()).toBe(5);
  // The calls of an administrator have limits of their own.
  await call(service, "SendHumanResetPasswordNotification", { userId });
  expect(await messages()).toBe(6);
  // The fifth link is valid for an hour.
  service.clockOffsetMs += 58 * MINUTE_MS;
  await ask("grace");
  expect(await messages()).toBe(6);
  service.clockOffsetMs += MINUTE_MS;
  await ask("grace");
  expect(await messages()).toBe(7);
  await ask("grace");
  expect(await messages()).toBe(7);
});

test("an empty user name shows the form again, and a form without its token the sign-in", async () => {
  const { person, page } = await openForgotten();
  expect((await person.submit(page, { username: " " })).title).toBe("Forgot your password?");
  const refused = await person.submit(page, { username: "ada", token: "" });
  expect([refused.status, refused.title]).toEqual([422, expect.stringMatching(/^Sign in to /)]);
});

test("an address with too many requests is rejected for a while", async () => {
  const { person, page } = await openForgotten();
  await Promise.all(Array.from({ length: 29 }, () => person.submit(page, { username: "nobody" })));
  expect((await person.submit(page, { username: "nobody" })).title).toBe(SENT);
  expect((await person.submit(page, { username: "nobody" })).title).toBe("Too many attempts");
});

/** The path of the page, from the sign-in page. */
function forgottenOf({ text }: Page): string {
  return (/ formaction="([^"]*forgotten[^"]*)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");
}
