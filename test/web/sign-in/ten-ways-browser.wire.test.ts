import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { ATTEMPT_LIMITS } from "../../../src/sign-in/attempt-limit.ts";
import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import { findViolations } from "../../support/browsers/axe.ts";
import { addAuthenticator, describeInChromium, isHarmless, launchChromium } from "../../support/browsers/chromium.ts";
import { createPerson } from "../../support/browsers/person.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../../support/browsers/pictures.ts";
import { call, importAda, userOf, VISITED } from "../../support/browsers/visitor.ts";
import { linkTo } from "../../support/messages/link-to.ts";
import { type OtherProviders, registerIdp, startOtherProviders } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { newSub, PERSON } from "./idp-scene.ts";

/** A secure context, for passkeys, and an application on another site. */
const ORIGIN = "http://id.localhost";
const APP = "http://notes.example.net";
const ACCOUNT = `${ORIGIN}/ui/account`;
const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const POLICY = {
  allowUsernamePassword: true,
  allowRegister: true,
  allowExternalIdp: true,
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
};
/** Until the delay is the longest one, which a person would not wait for. */
const GUESSES_TO_LONGEST_DELAY = 11;
const SCREENS = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const;

/**
 * How many clicks a person needs, from the first page or the email to the page of the application: each button and link counts, also
 * the one in the email, and what is typed does not.
 */
const CLICKS: Readonly<Record<string, number>> = {
  "accept an invitation": 2,
  "create an account": 4,
  "sign in for the first time": 1,
  "choose a new password": 6,
  "sign in although someone has guessed passwords": 7,
  "move one-time codes to a new phone": 5,
  "sign in without the phone": 3,
  "change the email address": 5,
  "link a provider, and sign in with it": 3,
  "delete the account": 3,
};

describeInChromium("a person, in Chromium", () => {
  let providers: OtherProviders;
  let service: TestService;
  let app: RelyingParty;
  let appServer: Server;
  let browser: Browser;
  let persons = 0;

  beforeAll(async () => {
    providers = await startOtherProviders();
    service = await startService("postgres", { ...VISITED, PUBLIC_URL: ORIGIN, ACCOUNT_DELETION: "true" });
    for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
    appServer = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><link rel=icon href=data:><h1>Notes</h1>");
    });
    await new Promise<void>((resolve) => appServer.listen(0, "127.0.0.1", resolve));
    const { port } = appServer.address() as AddressInfo;
    app = await createRelyingParty(service, { name: "Notes", redirect_uris: [`${APP}/callback`] });
    await call(service, "UpdateLoginPolicy", POLICY);
    browser = await launchChromium({ "id.localhost": service.port, "notes.example.net": port });
  });
  afterAll(async () => {
    await browser?.close();
    appServer?.close();
    await service?.close();
    await providers?.close();
  });

  /** A browser that counts clicks, and checks each page that they lead to. */
  async function newWalk(javaScriptEnabled: boolean) {
    const screen = ++persons % 2 === 0 ? "wide" : "narrow";
    const viewport = SCREENS[screen];
    const context = await browser.newContext({ javaScriptEnabled, viewport });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (!isHarmless(message.text(), [422, 429])) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    const request = createRequest(app);
    let clicks = 0;

    async function check(of = page) {
      await of.waitForLoadState();
      if (!of.url().startsWith(ORIGIN) || !javaScriptEnabled) return;
      for (const colorScheme of ["light", "dark"] as const) {
        await of.emulateMedia({ colorScheme });
        problems.push(...(await findViolations(of)).map((violation) => `${of.url()}: ${violation}`));
      }
      const width = await of.evaluate<number>("document.documentElement.scrollWidth");
      if (width > viewport.width) problems.push(`${of.url()}: ${width} pixels wide`);
    }

    return {
      page,
      email: `person-${persons}@example.com`,
      name: `person-${persons}`,
      clicks: () => clicks,
      /** Opens the application, which needs no click on a page. */
      async openApp() {
        await page.goto(request.url.href);
        await check();
      },
      async openAccount() {
        await page.goto(ACCOUNT);
        await check();
      },
      /** Clicks a button or a link, which leads to a page with this heading. */
      async click(selector: string, title: string, of = page) {
        clicks++;
        await of.click(selector);
        await of.waitForSelector(`h1:has-text("${title}")`);
        await check(of);
      },
      /** Clicks something that stays on the page. */
      async open(selector: string) {
        clicks++;
        await page.click(selector);
      },
      /** Opens the link of the last email to the address, in a new tab. */
      async openMail(address: string, title: string): Promise<Page> {
        clicks++;
        const tab = await context.newPage();
        await tab.goto(await linkTo(service, address));
        await tab.waitForSelector(`h1:has-text("${title}")`);
        await check(tab);
        return tab;
      },
      /** Opens the page of a link without a click. */
      async visit(link: string, title: string) {
        const path = await page.getAttribute(link, "href");
        await page.goto(`${ORIGIN}${path}`);
        await page.waitForSelector(`h1:has-text("${title}")`);
        await check();
      },
      async enter(username: string, password: string, title: string) {
        await page.fill("#username", username);
        await page.fill("#password", password);
        await this.click(SIGN_IN, title);
      },
      /** Asserts that the person is signed in at the application, on this page. */
      async expectApp(userId: string, on = page) {
        expect(on.url()).toContain(`${APP}/callback?code=`);
        expect((await redeem(service, app, new URL(on.url()), request)).claims()?.sub).toBe(userId);
      },
      async end() {
        expect(problems).toEqual([]);
        await context.close();
      },
    };
  }

  type Walk = Awaited<ReturnType<typeof newWalk>>;

  /** The button of the form, which is not the first one: see `defaultButton`. */
  const SIGN_IN = "form#sign-in > button:not(.default)";

  const newUser = ({ name: userName, email }: Walk, fields: object = {}) =>
    importAda(service, { userName, email: { email, isEmailVerified: true }, password: PASSWORD, ...fields });

  const choosePassword = async (page: Page, password = PASSWORD) => {
    await page.fill("#password", password);
    await page.fill("#repeat", password);
  };

  const userIdOf = async (email: string) => {
    const user = await service.db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
    return user.id;
  };

  /** Sets up one-time codes on the account page. Returns the secret and the recovery codes. */
  async function setUpCodes(walk: Walk) {
    const { page } = walk;
    await walk.click("a[href='/ui/account/one-time-code']", "Set up one-time codes");
    const text = (await page.locator("details code").textContent()) ?? "";
    const secret = parseTotpSecret(text.replaceAll(" ", ""));
    if (secret === undefined) throw new Error("the page shows no secret");
    await page.fill("#code", codeOfStep(secret, stepAt(secret, service.clock())));
    await walk.click("button:has-text('Set up')", "Recovery codes");
    const codes = await page.locator("#codes code").allTextContents();
    await walk.click("button:has-text('I have saved them')", "Your account");
    return { secret, codes };
  }

  const WAYS: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
    async "accept an invitation"(walk) {
      const userId = await newUser(walk, { password: "", email: { email: walk.email } });
      const tab = await walk.openMail(walk.email, "Set up your account");
      await choosePassword(tab);
      await walk.click("button:has-text('Finish')", "Your account", tab);
      // The application needs no further click.
      await walk.openApp();
      await walk.expectApp(userId);
    },

    async "create an account"(walk) {
      await walk.openApp();
      await walk.click("button:has-text('Create an account')", "Create an account");
      await walk.page.fill("#email", walk.email);
      await walk.click("button:has-text('Continue')", "Check your email");
      const tab = await walk.openMail(walk.email, "Finish creating your account");
      await tab.fill("#firstName", "Ada");
      await tab.fill("#lastName", "Lovelace");
      await choosePassword(tab);
      await walk.click("button:has-text('Create the account')", "Notes", tab);
      await walk.expectApp(await userIdOf(walk.email), tab);
    },

    async "sign in for the first time"(walk) {
      const userId = await newUser(walk);
      await walk.openApp();
      await walk.enter(walk.email, PASSWORD, "Notes");
      await walk.expectApp(userId);
    },

    async "choose a new password"(walk) {
      const userId = await newUser(walk);
      await walk.openApp();
      await resetPassword(walk);
      await walk.expectApp(userId);
    },

    async "sign in although someone has guessed passwords"(walk) {
      const userId = await newUser(walk);
      // Each delay is over before the next guess, which comes from another address.
      for (let count = 0; count < ATTEMPT_LIMITS.account.free + GUESSES_TO_LONGEST_DELAY; count++) {
        service.clockOffsetMs += 15 * 60_000;
        const guesser = createPerson(service);
        const form = await guesser.open(createRequest(app).url);
        await guesser.submit(form, { username: walk.email, password: "wrong" });
      }
      await walk.openApp();
      await walk.page.fill("#username", walk.email);
      await walk.page.fill("#password", PASSWORD);
      await walk.click(SIGN_IN, "Sign in to Notes");
      expect(await walk.page.textContent("[role=alert]")).toContain("Too many attempts.");
      await resetPassword(walk);
      await walk.expectApp(userId);
    },

    async "move one-time codes to a new phone"(walk) {
      const userId = await newUser(walk);
      await prepareCodes(walk);
      await walk.openAccount();
      await walk.click("a[href='/ui/account/one-time-code/remove']", "Remove one-time codes");
      await walk.page.fill("#password", PASSWORD);
      await walk.click("button:has-text('Remove one-time codes')", "Your account");
      await setUpCodes(walk);
      await walk.openApp();
      await walk.expectApp(userId);
    },

    async "sign in without the phone"(walk) {
      const userId = await newUser(walk);
      const { codes } = await prepareCodes(walk);
      await walk.page.context().clearCookies();
      await walk.openApp();
      await walk.enter(walk.email, PASSWORD, "Enter your one-time code");
      await walk.open("summary");
      await walk.page.fill("#recovery", codes[0] ?? "");
      await walk.click("details button", "Notes");
      await walk.expectApp(userId);
    },

    async "change the email address"(walk) {
      const userId = await newUser(walk);
      const address = `new-${walk.email}`;
      await walk.openAccount();
      await walk.enter(walk.email, PASSWORD, "Your account");
      await walk.click("a[href='/ui/account/email']", "Change your email address");
      await walk.page.fill("#email", address);
      await walk.click("button:has-text('Send the link')", "Your account");
      const tab = await walk.openMail(address, "Confirm your email address");
      await walk.click("form button", "Address changed", tab);
      expect(await userOf(service, userId)).toMatchObject({ email: address, email_verified: true });
      await walk.openApp();
      await walk.expectApp(userId);
    },

    async "link a provider, and sign in with it"(walk) {
      const userId = await newUser(walk);
      const idp = await registerIdp(service, providers, { account: { sub: newSub(), ...PERSON } });
      // The pages cache the providers for a few seconds.
      service.clockOffsetMs += 6_000;
      await walk.openAccount();
      await walk.enter(walk.email, PASSWORD, "Your account");
      await walk.click(`button[value="${idp.id}"]`, "Your account");
      await walk.visit("a[href^='/ui/account/links/remove']", "Remove the linked account?");
      await walk.page.context().clearCookies();
      await walk.openApp();
      await walk.click(`button[value="${idp.id}"]`, "Notes");
      await walk.expectApp(userId);
      await walk.openAccount();
      await walk.visit("a[href^='/ui/account/apps/remove']", "Remove the access of Notes?");
    },

    async "delete the account"(walk) {
      await newUser(walk);
      await walk.openAccount();
      await walk.enter(walk.email, PASSWORD, "Your account");
      await walk.click("a[href='/ui/account/delete']", "Delete your account");
      await walk.page.fill("#userName", walk.name);
      await walk.click("form button:has-text('Delete')", "Your account was deleted");
      await expect(userIdOf(walk.email)).rejects.toThrow();
    },
  };

  /** From the sign-in page to the application, with the link in the email. */
  async function resetPassword(walk: Walk): Promise<void> {
    await walk.page.fill("#username", walk.email);
    await walk.click("button:has-text('Forgotten?')", "Forgot your password?");
    await walk.click("button:has-text('Send the link')", "Check your email");
    const tab = await walk.openMail(walk.email, "Choose a new password");
    await choosePassword(tab, NEW_PASSWORD);
    await walk.click("form button:not(.show)", "All done", tab);
    await walk.click("button:has-text('Back to sign-in')", "Sign in to Notes");
    await walk.enter(walk.email, NEW_PASSWORD, "Notes");
  }

  /** Signs in to the account page, and sets up one-time codes, before the person's way begins. */
  async function prepareCodes(walk: Walk) {
    await walk.openAccount();
    const before = walk.clicks();
    await walk.enter(walk.email, PASSWORD, "Your account");
    const codes = await setUpCodes(walk);
    prepared.set(walk, walk.clicks() - before);
    return codes;
  }

  /** The clicks before a way begins. */
  const prepared = new Map<Walk, number>();

  test("sees everything on the sign-in page with two providers without scrolling", async () => {
    for (let count = 0; count < 2; count++) {
      await registerIdp(service, providers, { account: { sub: newSub(), ...PERSON } });
    }
    service.clockOffsetMs += 6_000;
    const { page, close } = await newReader({ viewport: SCREENS.wide });
    await page.goto(createRequest(app).url.href);
    await page.waitForSelector("#passkey button:visible");
    expect(await page.locator("button[name=idp]").count()).toBe(2);
    const { y, height } = (await page.locator("button[value=cancel]").boundingBox()) ?? { y: Number.NaN, height: 0 };
    expect(y + height).toBeLessThanOrEqual(SCREENS.wide.height);
    await close();
    await service.db.deleteFrom("idps").execute();
    service.clockOffsetMs += 6_000;
  });

  test.each(Object.keys(WAYS).flatMap((way) => [true, false].map((script) => [way, script] as const)))(
    "%s, with JavaScript: %s",
    async (way, javaScriptEnabled) => {
      const walk = await newWalk(javaScriptEnabled);
      await WAYS[way]?.(walk);
      expect([way, walk.clicks() - (prepared.get(walk) ?? 0)]).toEqual([way, CLICKS[way]]);
      await walk.end();
    },
  );

  test("enters the address first if its domain chooses the organization", async () => {
    await call(service, "UpdateLoginPolicy", { ...POLICY, allowDomainDiscovery: true });
    const walk = await newWalk(true);
    await newUser(walk);
    await walk.openAccount();
    expect(await walk.page.locator("#password").count()).toBe(0);
    await walk.page.fill("#username", walk.email);
    await walk.click("button:has-text('Continue')", "Sign in to");
    await walk.page.waitForSelector("#password");
    expect(await findViolations(walk.page)).toEqual([]);
    await walk.enter(walk.email, PASSWORD, "Your account");
    await call(service, "UpdateLoginPolicy", POLICY);
    await walk.end();
  });

  test("creates an account with a passkey", async () => {
    const walk = await newWalk(true);
    await addAuthenticator(walk.page);
    await walk.openApp();
    await walk.click("button:has-text('Create an account')", "Create an account");
    await walk.page.fill("#email", walk.email);
    await walk.click("button:has-text('Continue')", "Check your email");
    await walk.page.goto(await linkTo(service, walk.email));
    // The name is required with a passkey too.
    await walk.page.click("#use-passkey");
    await walk.page.waitForSelector("#firstName:focus");
    await walk.page.fill("#firstName", "Ada");
    await walk.page.fill("#lastName", "Lovelace");
    await walk.click("#use-passkey", "Notes");
    await walk.expectApp(await userIdOf(walk.email));
    // The passkey works for the next sign-in.
    await walk.page.goto(ACCOUNT);
    await walk.click("form[action='/ui/account/sign-out'] button", "You are signed out");
    // The browser offers it at once, and the virtual authenticator agrees.
    await walk.page.goto(ACCOUNT);
    await walk.page.waitForSelector("h1:has-text('Your account')");
    await walk.end();
  });

  test("sees what to do if the device creates no passkey, or the link is over", async () => {
    const walk = await newWalk(true);
    await addAuthenticator(walk.page, { isUserVerified: false });
    await walk.openApp();
    await walk.click("button:has-text('Create an account')", "Create an account");
    await walk.page.fill("#email", walk.email);
    await walk.click("button:has-text('Continue')", "Check your email");
    const link = await linkTo(service, walk.email);
    await walk.page.goto(link);
    await walk.page.fill("#firstName", "Ada");
    await walk.page.fill("#lastName", "Lovelace");
    await walk.page.click("#use-passkey");
    await walk.page.waitForSelector("#passkey-problem:not(:empty)");
    expect(await findViolations(walk.page)).toEqual([]);
    await choosePassword(walk.page);
    await walk.click("button:has-text('Create the account')", "Notes");
    const { page, close } = await newReader();
    await page.goto(link);
    expect((await page.textContent("h1"))?.trim()).toBe("Your account is ready");
    expect(await findViolations(page)).toEqual([]);
    await page.goto(link.replace("code=", "code=x"));
    expect((await page.textContent("h1"))?.trim()).toBe("This link is no longer valid");
    expect(await findViolations(page)).toEqual([]);
    await close();
    await walk.end();
  });

  async function newReader(options: object = {}) {
    const context = await browser.newContext(options);
    return { page: await context.newPage(), close: () => context.close() };
  }

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      const { page, close } = await newReader(options);
      const email = `ada-${form}@example.com`;
      await service.db.deleteFrom("idps").execute();
      service.clockOffsetMs += 6_000;
      await page.goto(createRequest(app).url.href);
      await takePicture(page, "sign-in-register", form);
      await page.click("button:has-text('Create an account')");
      await page.waitForSelector("#email");
      await takePicture(page, "register", form);
      await page.fill("#email", email);
      await page.click("button:has-text('Continue')");
      await page.waitForSelector("h1.done");
      await takePicture(page, "register-sent", form);
      const link = await linkTo(service, email);
      await page.goto(link);
      await takePicture(page, "register-finish", form);
      await page.fill("#firstName", "Ada");
      await page.fill("#lastName", "Lovelace");
      await choosePassword(page);
      const other = await newReader(options);
      await other.page.goto(link);
      await page.click("button:has-text('Create the account')");
      await page.waitForSelector("h1:has-text('Notes')");
      await page.goto(ACCOUNT);
      await page.click("a[href^='/ui/account/apps/remove']");
      await page.waitForSelector("button.danger");
      await takePicture(page, "account-app-remove", form);
      await other.page.goto(link);
      await takePicture(other.page, "register-ready", form);
      await other.close();
      await call(service, "UpdateLoginPolicy", { ...POLICY, allowDomainDiscovery: true });
      const identifying = await newReader(options);
      await identifying.page.goto(ACCOUNT);
      await takePicture(identifying.page, "identify", form);
      await identifying.close();
      await call(service, "UpdateLoginPolicy", POLICY);
      await close();
    });
});
