import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import {
  call,
  eventsAfter,
  importAda,
  lastReceived,
  userOf,
  VERIFIED,
  VISITED,
} from "../../support/browsers/visitor.ts";
import type { DatabaseKind } from "../../support/databases/database.ts";
import { createRelyingParty, createRequest, signIn } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const READY = "Your account is ready, and you are signed in.";
const START = "https://app.example.com/start";
const PROOF = "signet-link-proof";

const POLICY = {
  allowUsernamePassword: true,
  allowExternalIdp: true,
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
} as const;

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
});
afterAll(() => service?.close());

let users = 0;

async function invite(fields: object = {}, inviting = service) {
  const userName = `invited-${++users}`;
  const userId = await importAda(inviting, { userName, ...fields });
  return { userName, userId, got: await lastReceived(inviting, userId, "initialization") };
}

/** Opens the link, and sets a password with its form. */
async function accept(person: Person, { path }: { path: string }): Promise<Page> {
  return person.submit(await person.open(path), { password: PASSWORD, repeat: PASSWORD });
}

const isSignedIn = async (person: Person) => (await person.open("/ui/account")).title === "Your account";

/** The value of a cookie. */
const cookieOf = ({ browser }: Person, name: string) => browser.jar().find(([key]) => key === name)?.[1];

async function setPolicy(changes: object): Promise<void> {
  await call(service, "UpdateCustomLoginPolicy", { ...POLICY, ...changes });
}

describe.each<DatabaseKind>(["postgres", "embedded"])("on %s", (kind) => {
  let own: TestService;
  beforeAll(async () => {
    own = kind === "postgres" ? service : await startService(kind, VISITED);
  });
  afterAll(async () => {
    if (own !== service) await own?.close();
  });

  test("a user who sets a password with the link is signed in, and sees it on the account page", async () => {
    const { userId, got } = await invite({}, own);
    const { sequence } = await userOf(own, userId);
    const person = createPerson(own);
    const page = await accept(person, got);
    expect([page.status, page.title, page.url.pathname]).toEqual([200, "Your account", "/ui/account"]);
    expect(page.text).toContain(READY);
    expect((await eventsAfter(own, userId, sequence)).map(([type]) => type)).toEqual([
      "user.human.email.verified",
      "user.human.password.changed",
      "user.human.initialized",
      "user.human.signed.in",
    ]);
    expect(cookieOf(person, PROOF)).toBeUndefined();
    // Neither a reload nor the back button says so again.
    expect((await person.open("/ui/account")).text).not.toContain(READY);
    expect((await person.open(got.path)).title).toBe("Nothing left to do");
  });
});

test("the session has an id that the browser did not have before", async () => {
  const { got } = await invite();
  const person = createPerson(service);
  await person.open("/ui/device");
  const before = cookieOf(person, "signet-session");
  expect(before).toMatch(/./);
  await accept(person, got);
  expect(await isSignedIn(person)).toBe(true);
  expect(cookieOf(person, "signet-session")).not.toBe(before);
});

test("a user who has a password only confirms the address, and has to sign in", async () => {
  const { got } = await invite({ password: PASSWORD });
  const person = createPerson(service);
  const page = await person.submit(await person.open(got.path), {});
  expect([page.title, page.text]).toEqual(["All done", expect.stringContaining(">Sign in</a>")]);
  expect(await isSignedIn(person)).toBe(false);
});

test("a browser without cookies shows what to do next", async () => {
  const { got } = await invite();
  const { browser } = createPerson(service);
  const fields = { code: got.code, password: PASSWORD, repeat: PASSWORD };
  const { location } = await browser.post("/ui/init", fields);
  const page = await createPerson(service).open(location);
  expect([page.title, page.text]).toEqual(["All done", expect.stringContaining(">Sign in</a>")]);
});

test("a link does not end the session of another user, and says who has to sign out", async () => {
  const first = await invite();
  const second = await invite();
  const person = createPerson(service);
  await accept(person, first.got);
  const session = cookieOf(person, "signet-session");
  const page = await accept(person, second.got);
  expect([page.title, page.text]).toEqual(["All done", expect.stringContaining("Another account is signed in")]);
  expect([cookieOf(person, "signet-session"), cookieOf(person, PROOF)]).toEqual([session, undefined]);
  expect((await person.open("/ui/account")).text).toContain(first.userName);
});

test("a user who is signed in already stays so", async () => {
  const { userName, userId, got } = await invite({ ...VERIFIED });
  const app = await createRelyingParty(service);
  const person = createPerson(service);
  await signIn(service, person.browser, createRequest(app).url, userId);
  const page = await accept(person, got);
  expect([page.title, page.text]).toEqual(["Your account", expect.stringContaining(userName)]);
});

describe("the proof of the link", () => {
  /** A browser that has set a password, and has not followed the redirect to the sign-in. */
  async function prove() {
    const invited = await invite();
    const person = createPerson(service);
    await person.browser.post("/ui/init", { code: invited.got.code, password: PASSWORD, repeat: PASSWORD });
    return { ...invited, person };
  }

  test("signs in to the account page only, not to an application", async () => {
    const { person } = await prove();
    const app = await createRelyingParty(service);
    expect((await person.open(createRequest(app).url)).title).toMatch(/^Sign in to App/);
    expect(await isSignedIn(person)).toBe(true);
  });

  test("counts once", async () => {
    const { person } = await prove();
    const proof = cookieOf(person, PROOF) ?? "";
    service.secret(proof);
    expect(await isSignedIn(person)).toBe(true);
    const thief = createPerson(service, undefined, { cookie: `${PROOF}=${proof}` });
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("ends when the user changes, and after two minutes", async () => {
    const changed = await prove();
    await call(service, "UpdateUserName", { userId: changed.userId, userName: `renamed-${users}` });
    expect(await isSignedIn(changed.person)).toBe(false);
    const late = await prove();
    service.clockOffsetMs += 121_000;
    expect(await isSignedIn(late.person)).toBe(false);
  });

  test("does not sign in a user who was locked in the meantime", async () => {
    const { userId, person } = await prove();
    await call(service, "LockUser", { id: userId });
    expect(await isSignedIn(person)).toBe(false);
  });
});

describe("by the login policy,", () => {
  beforeAll(async () => {
    await call(service, "AddCustomLoginPolicy", POLICY);
  });

  test("the user returns to the application that the policy names", async () => {
    await setPolicy({ defaultRedirectUri: START });
    const { got } = await invite();
    const person = createPerson(service);
    expect((await accept(person, got)).url.href).toBe(START);
    const app = await createRelyingParty(service);
    const callback = await person.open(createRequest(app).url);
    expect([callback.url.href.startsWith(app.redirectUri), callback.url.searchParams.has("code")]).toEqual([
      true,
      true,
    ]);
  });

  test("the user sets up a second factor first", async () => {
    await setPolicy({ forceMfa: true });
    const { userId, got } = await invite();
    const { sequence } = await userOf(service, userId);
    const person = createPerson(service);
    const page = await accept(person, got);
    expect(page.title).toBe("Protect your account");
    expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).not.toContain("user.human.signed.in");
    expect(await isSignedIn(person)).toBe(false);
  });

  test("nobody signs in by a password that the policy forbids", async () => {
    await setPolicy({ allowUsernamePassword: false });
    const { got } = await invite();
    const person = createPerson(service);
    expect((await accept(person, got)).title).toMatch(/^Sign in to/);
    expect(await isSignedIn(person)).toBe(false);
  });
});
