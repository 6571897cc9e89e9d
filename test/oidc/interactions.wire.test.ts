import { findSignInUser } from "../../src/sign-in/find-sign-in-user.ts";
import { createPerson, type Person } from "../support/browsers/person.ts";
import { call, importAda, VISITED } from "../support/browsers/visitor.ts";
import {
  createRelyingParty,
  createRequest,
  findRequest,
  newBrowser,
  type RelyingParty,
} from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { formOf } from "../web/account/account-scene.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";

describe("a sign-in that waits at its last redirect", () => {
  let service: TestService;
  let app: RelyingParty;
  let names = 0;

  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
    app = await createRelyingParty(service);
  });
  afterAll(() => service.close());

  const ENDS: [string, (userId: string) => Promise<unknown>][] = [
    ["the password is set", (userId) => call(service, "SetHumanPassword", { userId, password: NEW_PASSWORD })],
    [
      "the user is locked, and then unlocked",
      async (id) => {
        await call(service, "LockUser", { id });
        await call(service, "UnlockUser", { id });
      },
    ],
  ];

  /** Enters the password. Returns the redirect that the browser has not followed. */
  async function enterPassword(person: Person): Promise<{ userId: string; userName: string; resume: string }> {
    const userName = `user-${++names}`;
    const email = { email: "ada@example.com", isEmailVerified: true };
    const userId = await importAda(service, { userName, password: PASSWORD, email });
    const { text } = await person.open(createRequest(app).url);
    const action = /<form [^>]*action="([^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";
    const { location } = await person.browser.post(action, { token, username: userName, password: PASSWORD });
    return { userId, userName, resume: location };
  }

  const isSignedIn = async (person: Person, resume: string) => (await person.open(resume)).url.searchParams.has("code");

  test("continues", async () => {
    const person = createPerson(service);
    const { resume } = await enterPassword(person);
    expect(await isSignedIn(person, resume)).toBe(true);
  });

  test.each(ENDS)("ends when %s", async (_, change) => {
    const person = createPerson(service);
    const { userId, resume } = await enterPassword(person);
    await change(userId);
    expect(await isSignedIn(person, resume)).toBe(false);
    expect((await person.open("/ui/account")).title).toBe("Sign in to Signet");
  });

  test("ends when the user changes the password in another browser", async () => {
    const [person, owner] = [createPerson(service), createPerson(service)];
    const { userName, resume } = await enterPassword(person);
    const account = await owner.submit(await owner.open("/ui/account"), { username: userName, password: PASSWORD });
    expect(account.title).toBe("Your account");
    const form = await owner.open("/ui/account/password");
    await owner.submit(form, { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
    expect(await isSignedIn(person, resume)).toBe(false);
  });

  test("ends when the user signs out everywhere else in another browser", async () => {
    const [person, owner] = [createPerson(service), createPerson(service)];
    const { userName, resume } = await enterPassword(person);
    const account = await owner.submit(await owner.open("/ui/account"), { username: userName, password: PASSWORD });
    const { text } = formOf(account, "/ui/account/sign-out");
    await owner.submit({ ...account, text: text.replace("/sign-out", "/sessions/end-others") }, {});
    expect(await isSignedIn(person, resume)).toBe(false);
  });

  test.each(ENDS)("is neither completed nor continued with a proof from before %s", async (_, change) => {
    const browser = newBrowser(service);
    const { location } = await browser.open(createRequest(app).url.href);
    const found = await findRequest(service, browser, location);
    if (found === undefined) throw new Error("there is no sign-in");
    const { userId } = await enterPassword(createPerson(service));
    const { sequence = 0n } = (await findSignInUser(service, userId)) ?? {};
    await change(userId);
    const { passwordHash = null } = (await findSignInUser(service, userId)) ?? {};
    const signedIn = { userId, sequence, passwordHash, initialized: true, methods: ["pwd"], remember: false };
    await expect(service.interactions.finish(found, signedIn)).rejects.toMatchObject({ reason: "USER_NOT_FOUND" });
    await service.interactions.prove(found, { userId, sequence });
    expect((await findRequest(service, browser, location))?.provedUserId).toBeUndefined();
    const { sequence: current = 0n } = (await findSignInUser(service, userId)) ?? {};
    await service.interactions.prove(found, { userId, sequence: current });
    expect((await findRequest(service, browser, location))?.provedUserId).toBe(userId);
  });
});
