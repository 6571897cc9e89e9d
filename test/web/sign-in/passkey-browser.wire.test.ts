import type { Browser, CDPSession, Page } from "playwright-core";
import { findViolations } from "../../support/browsers/axe.ts";
import { addAuthenticator, describeInChromium, launchChromium } from "../../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../../support/browsers/pictures.ts";
import { call } from "../../support/browsers/visitor.ts";
import { type LocalhostProxy, startLocalhostProxy } from "../../support/servers/localhost-proxy.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";

describeInChromium("signing in with a passkey, in Chromium", () => {
  let proxy: LocalhostProxy;
  let service: TestService;
  let browser: Browser;
  let names = 0;

  beforeAll(async () => {
    proxy = await startLocalhostProxy();
    service = await startService("postgres", { PUBLIC_URL: proxy.origin, PASSKEY_OFFER: "once" });
    service.secret(PASSWORD);
    proxy.target.port = service.port;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    proxy?.server.close();
    await service?.close();
  });

  /** An imported user with a link to register a passkey. */
  async function importUser() {
    const userName = `ada-${++names}`;
    const { userId, passwordlessRegistration } = await call(service, "ImportHumanUser", {
      userName,
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: "ada@example.com", isEmailVerified: true },
      password: PASSWORD,
      requestPasswordlessRegistration: true,
    });
    return { userName, userId: String(userId), link: (passwordlessRegistration as { link: string }).link };
  }

  /** A new browser context with a virtual authenticator. */
  async function newVisitor(authenticator: object = {}) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    const { session, authenticatorId } = await addAuthenticator(page, authenticator);
    return { context, page, session, authenticatorId, problems, close: () => context.close() };
  }

  async function register(page: Page, link: string): Promise<void> {
    await page.goto(link);
    await page.click("button:visible");
    await page.waitForSelector("h1.done");
  }

  const account = () => `${proxy.origin}/ui/account`;
  const heading = async (page: Page) => (await page.textContent("h1"))?.trim();
  const passkeyOf = (userId: string) =>
    service.db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).executeTakeFirstOrThrow();

  /** Makes the authenticator wait for the user, so that the page waits too. */
  const holdPresence = (session: CDPSession, authenticatorId: string, enabled: boolean) =>
    session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });

  const problemIn = async (page: Page) => {
    const alert = page.locator("[role=alert]:not(:empty)");
    await alert.waitFor();
    return (await alert.textContent()) ?? "";
  };

  test("a passkey registered with the link of an import signs in by autofill", async () => {
    const { userId, link } = await importUser();
    const { page, problems, close } = await newVisitor();
    await register(page, link);
    const before = await passkeyOf(userId);
    await page.goto(account());
    await page.waitForURL(account());
    expect(await heading(page)).toBe("Your account");
    const { counter } = await passkeyOf(userId);
    expect(counter > before.counter).toBe(true);
    expect(problems).toEqual([]);
    await close();
  });

  test("the button signs in, and keeps the choice to stay signed in", async () => {
    const { link } = await importUser();
    const { context, page, session, authenticatorId, problems, close } = await newVisitor();
    await register(page, link);
    await holdPresence(session, authenticatorId, false);
    await page.goto(account());
    await page.waitForSelector("#passkey button:visible");
    await page.check("[name=remember]");
    await holdPresence(session, authenticatorId, true);
    await page.click("#passkey button");
    await page.waitForURL(account());
    expect(await heading(page)).toBe("Your account");
    const cookies = await context.cookies();
    expect(cookies.find(({ name }) => name === "signet-session")?.expires).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    await close();
  });

  test("a passkey that is not discoverable is offered to a user who has to sign in again", async () => {
    const { userId, userName, link } = await importUser();
    const { page, session, authenticatorId, close } = await newVisitor({ hasResidentKey: false });
    await register(page, link);
    const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
    expect(credentials).toMatchObject([{ isResidentCredential: false }]);
    await page.goto(account());
    await page.waitForSelector("#passkey button:visible");
    await page.click("#passkey button");
    expect(await problemIn(page)).toMatch(/^The sign-in was canceled, or this device has no passkey/);
    // The form for the password still works.
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL(account());
    service.clockOffsetMs += 15 * 60_000;
    await page.reload();
    await page.click("form[action$='/passkeys'] button");
    await page.waitForSelector("#passkey button:visible");
    const { counter } = await passkeyOf(userId);
    await page.click("#passkey button");
    await page.waitForURL(account());
    service.clockOffsetMs = 0;
    expect((await passkeyOf(userId)).counter > counter).toBe(true);
    await close();
  });

  test("a copy of a passkey is rejected after the original was used", async () => {
    const { userId, link } = await importUser();
    const original = await newVisitor();
    await register(original.page, link);
    const { credentials } = await original.session.send("WebAuthn.getCredentials", original);
    const [credential] = credentials;
    if (credential === undefined) throw new Error("there is no passkey");
    for (let count = 0; count < 2; count++) {
      await original.page.goto(account());
      await original.page.waitForURL(account());
      await original.page.click("form[action$='/sign-out'] button");
      await original.page.waitForSelector("h1.done");
    }
    const copy = await newVisitor();
    const { authenticatorId } = copy;
    await copy.session.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount: 0 } });
    // The test's authenticator would respond on the next page too.
    const answer = copy.page.waitForResponse((response) => new URL(response.url()).searchParams.has("shown"));
    await copy.page.goto(account());
    const refused = await answer;
    const submitted = new URL(refused.request().redirectedFrom()?.url() ?? proxy.origin);
    expect([refused.status(), submitted.pathname.split("/").at(-1)]).toEqual([422, "passkey"]);
    const events = await service.db
      .selectFrom("events")
      .select("payload")
      .where("aggregate_id", "=", userId)
      .where("type", "=", "user.human.passwordless.check.failed")
      .execute();
    const { id: passkeyId, counter } = await passkeyOf(userId);
    expect(events[0]?.payload).toMatchObject({ passkeyId, storedCounter: Number(counter) });
    await Promise.all([original, copy].map(({ close }) => close()));
  });

  test("a passkey cannot be used without verification of the user", async () => {
    const { link } = await importUser();
    const { page, session, authenticatorId, close } = await newVisitor();
    await register(page, link);
    await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await page.goto(account());
    await page.waitForSelector("#passkey button:visible");
    await page.click("#passkey button");
    expect(await problemIn(page)).toMatch(/^The sign-in was canceled/);
    await close();
  });

  test("a page of another origin cannot use the passkeys of this one", async () => {
    const { link } = await importUser();
    const { page, close } = await newVisitor();
    await register(page, link);
    // Another host that resolves to the service.
    await page.goto(proxy.origin.replace("localhost", "127.0.0.1"));
    const outcome = await page.evaluate<string>(`navigator.credentials.get({
      publicKey: { challenge: new Uint8Array(32), rpId: "localhost", userVerification: "required" },
    }).then(() => "used", (error) => error.name)`);
    expect(outcome).toBe("SecurityError");
    await close();
  });

  test("a user who signs in with a password adds a passkey on the way, with one click", async () => {
    const { userId, userName } = await importUser();
    const { page, session, problems, close } = await newVisitor();
    await page.goto(account());
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[value=add]");
    expect(await heading(page)).toBe("Sign in faster next time?");
    expect(await findViolations(page)).toEqual([]);
    const added = new Promise<void>((resolve) => session.on("WebAuthn.credentialAdded", () => resolve()));
    await page.click("[value=add]");
    await added;
    await page.waitForURL(account());
    expect(await heading(page)).toBe("Your account");
    expect(await passkeyOf(userId)).toMatchObject({ name: "Passkey 1" });
    expect(problems).toEqual([]);
    await close();
  });

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      const { userName } = await importUser();
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(account());
      await page.waitForSelector("#passkey button:visible");
      await takePicture(page, "sign-in-passkey", form);
      await page.fill("#username", userName);
      await page.fill("#password", PASSWORD);
      await page.keyboard.press("Enter");
      await page.waitForSelector("[value=add]");
      await takePicture(page, "passkey-offer", form);
      await context.close();
    });
});
