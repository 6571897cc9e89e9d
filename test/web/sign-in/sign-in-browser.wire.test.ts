import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import { findViolations } from "../../support/browsers/axe.ts";
import { describeInChromium, hasFailed, isHarmless, launchChromium } from "../../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../../support/browsers/pictures.ts";
import { importAda, lastReceived, VERIFIED } from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

/** Hosts that only this browser resolves, without TLS: the service, and an application on another site. */
const ORIGIN = "http://id.example.com";
const APP = "http://notes.example.net";
const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
/** The statuses of the error pages in these tests. */
const STATUSES = [403, 404, 410, 422];
const NARROWEST = { viewport: { width: 320, height: 640 } };

describeInChromium("the sign-in, in Chromium", () => {
  let service: TestService;
  let app: RelyingParty;
  let appServer: Server;
  let browser: Browser;
  let names = 0;

  beforeAll(async () => {
    service = await startService("postgres", { PUBLIC_URL: ORIGIN });
    for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
    appServer = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><link rel=icon href=data:><h1>Notes</h1>");
    });
    await new Promise<void>((resolve) => appServer.listen(0, "127.0.0.1", resolve));
    const { port } = appServer.address() as AddressInfo;
    app = await createRelyingParty(service, { name: "Notes", redirect_uris: [`${APP}/callback`] });
    browser = await launchChromium({ "id.example.com": service.port, "notes.example.net": port });
  });
  afterAll(async () => {
    await browser?.close();
    appServer?.close();
    await service?.close();
  });

  /** A new browser context. Its errors, such as violations of the Content-Security-Policy, are in `problems`. */
  async function newVisitor(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (!isHarmless(message.text(), STATUSES)) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("requestfailed", (request) => {
      if (hasFailed(request)) problems.push(`${request.failure()?.errorText} ${request.url()}`);
    });
    return { context, page, problems, close: () => context.close() };
  }

  async function newUser(fields: object = VERIFIED, language = "en") {
    const userName = `user-${++names}`;
    const profile = { firstName: "Ada", lastName: "Lovelace", preferredLanguage: language };
    const userId = await importAda(service, { userName, password: PASSWORD, profile, ...fields });
    return { userId, userName };
  }

  const heading = async (page: Page) => (await page.textContent("h1"))?.trim();
  const focused = (page: Page) =>
    page.evaluate<string>(
      "document.activeElement.id || document.activeElement.name || document.activeElement.textContent",
    );

  async function tabTo(page: Page, what: string): Promise<void> {
    for (let steps = 0; steps < 10; steps++) {
      if ((await focused(page)).trim() === what) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`the keyboard does not reach ${what}`);
  }

  const placeOfButton = (page: Page) => page.locator("#sign-in > button:not(.default)").boundingBox();

  async function submit(page: Page, userName: string, password = PASSWORD): Promise<void> {
    await page.fill("#username", userName);
    await page.fill("#password", password);
    await page.keyboard.press("Enter");
  }

  test("a user signs in to an application of another site with the keyboard only and without JavaScript", async () => {
    const { userId, userName } = await newUser();
    const { page, problems, close } = await newVisitor({ javaScriptEnabled: false });
    const request = createRequest(app);
    await page.goto(request.url.href);
    expect(await heading(page)).toBe("Sign in to Notes");
    await page.waitForSelector("#username:focus");
    await page.keyboard.type(userName);
    await tabTo(page, "password");
    await page.keyboard.type("wrong");
    const before = await placeOfButton(page);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert]");
    // The error and the remark have the places that are reserved for them.
    expect(await placeOfButton(page)).toEqual(before);
    await page.waitForSelector("#password:focus");
    expect(await page.inputValue("#username")).toBe(userName);
    expect(await page.inputValue("#password")).toBe("");
    await page.keyboard.type(PASSWORD);
    await tabTo(page, "remember");
    await page.keyboard.press("Space");
    await tabTo(page, "Sign in");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${APP}/**`);
    expect((await redeem(service, app, new URL(page.url()), request)).claims()?.sub).toBe(userId);
    // The next application does not need to show a page.
    const other = await createRelyingParty(service, { redirect_uris: [`${APP}/other`] });
    await page.goto(createRequest(other).url.href);
    expect(page.url()).toMatch(`${APP}/other?code=`);
    expect(problems).toEqual([]);
    await close();
  });

  test("a forced change and the account page work without JavaScript", async () => {
    const { userName } = await newUser({ ...VERIFIED, passwordChangeRequired: true });
    const { page, problems, close } = await newVisitor({ javaScriptEnabled: false });
    await page.goto(`${ORIGIN}/ui/account`);
    await submit(page, userName);
    await page.waitForSelector("#repeat");
    await page.fill("#password", NEW_PASSWORD);
    await page.fill("#repeat", NEW_PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${ORIGIN}/ui/account`);
    expect(await heading(page)).toBe("Your account");
    await page.click("a[href='/ui/account/password']");
    await page.fill("#current", NEW_PASSWORD);
    await page.fill("#password", PASSWORD);
    await page.fill("#repeat", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=status]:has-text('Your password was changed.')");
    await page.click("form[action$='/sign-out'] button");
    await page.waitForSelector("h1.done");
    expect(await heading(page)).toBe("You are signed out");
    await page.goBack();
    // The page is not cached, so the back button shows nothing of the account.
    await page.waitForSelector("#username");
    expect(problems).toEqual([]);
    await close();
  });

  test("the back button after the sign-in shows a page with a link to the application", async () => {
    const { userName } = await newUser();
    const { page, close } = await newVisitor();
    await page.goto(createRequest(app).url.href);
    await submit(page, userName);
    await page.waitForURL(`${APP}/**`);
    await page.goBack();
    expect(await heading(page)).toBe("This sign-in has ended");
    await page.click("text=Start again at Notes");
    expect(page.url()).toBe(`${APP}/`);
    await close();
  });

  test("two tabs sign in one after another", async () => {
    const { userName } = await newUser();
    const { context, page, close } = await newVisitor();
    const second = await context.newPage();
    await page.goto(createRequest(app).url.href);
    await second.goto(createRequest(app).url.href);
    for (const tab of [page, second]) {
      await submit(tab, userName);
      await tab.waitForURL(`${APP}/callback?code=**`);
    }
    await close();
  });

  test("a window that an application has opened can still communicate with the application", async () => {
    const { userName } = await newUser();
    const { context, page, close } = await newVisitor();
    await page.goto(APP);
    const opened = context.waitForEvent("page");
    await page.evaluate(`window.open(${JSON.stringify(createRequest(app).url.href)})`);
    const popup = await opened;
    await popup.waitForSelector("#username");
    await submit(popup, userName);
    await popup.waitForURL(`${APP}/callback?code=**`);
    expect(await popup.evaluate("window.opener !== null")).toBe(true);
    await close();
  });

  /** Opens each page in turn. */
  async function visitPages(page: Page, language: string, visit: (name: string) => Promise<void>): Promise<void> {
    const ready = await newUser(VERIFIED, language);
    const unverified = await newUser({}, language);
    const change = await newUser({ ...VERIFIED, passwordChangeRequired: true }, language);
    const signIn = () => page.goto(createRequest(app).url.href);
    await signIn();
    await visit("sign-in");
    await submit(page, ready.userName, "wrong");
    await page.waitForSelector("[role=alert]");
    await visit("sign-in-error");
    await page.click("button[formaction*=forgotten]");
    await visit("forgotten");
    await page.fill("#username", ready.userName);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
    await visit("forgotten-sent");
    const { path } = await lastReceived(service, ready.userId, "password");
    await page.goto(ORIGIN + path);
    await visit("password-link");
    await page.goto(`${ORIGIN}/ui/sign-in/unknown?app=${app.id}`);
    await visit("ended");
    await signIn();
    await submit(page, unverified.userName);
    await page.waitForSelector("input[name=proof]", { state: "attached" });
    await visit("address");
    await signIn();
    await submit(page, change.userName);
    await page.waitForSelector("#repeat");
    await visit("new-password");
    await page.goto(`${ORIGIN}/ui/account`);
    await submit(page, ready.userName);
    await page.waitForURL(`${ORIGIN}/ui/account`);
    await service.db.insertInto("passkeys").values(passkeyOf(ready.userId)).execute();
    await page.reload();
    await visit("account");
    await page.click("a[href*=password]");
    await visit("account-password");
    await page.goto(`${ORIGIN}/ui/account/one-time-code`);
    await page.click("summary");
    await visit("one-time-code-set-up");
    await page.fill("#code", codeOf((await page.textContent("details code")) ?? ""));
    await page.keyboard.press("Enter");
    await page.waitForSelector(".codes");
    await visit("recovery-codes");
    await page.goto(`${ORIGIN}/ui/account/one-time-code/new-recovery-codes`);
    await visit("new-recovery-codes");
    await page.goto(`${ORIGIN}/ui/account/one-time-code/remove`);
    await visit("one-time-code-remove");
    await page.goto(`${ORIGIN}/ui/account`);
    await page.click("form[action$='/sign-out'] button");
    await page.waitForSelector("h1.done");
    await visit("signed-out");
    await signIn();
    await submit(page, ready.userName);
    await page.waitForSelector("#code");
    await page.click("summary");
    await visit("one-time-code");
  }

  /** The code that an authenticator app shows. */
  function codeOf(text: string): string {
    const secret = parseTotpSecret(text);
    if (secret === undefined) throw new Error("the page shows no secret");
    return codeOfStep(secret, stepAt(secret, new Date()));
  }

  function passkeyOf(userId: string) {
    return {
      org_id: service.orgId,
      id: `passkey-${userId}`,
      user_id: userId,
      public_key: Buffer.from("key"),
      counter: 0n,
      transports: [],
      aaguid: "00000000-0000-0000-0000-000000000000",
      device_type: "multiDevice" as const,
      backed_up: true,
      created_at: new Date("2026-11-22T10:00:00Z"),
    };
  }

  test("no page is wider than a screen of 320 pixels, in any language", async () => {
    for (const language of LANGUAGES) {
      const { page, problems, close } = await newVisitor({ ...NARROWEST, locale: language });
      await visitPages(page, language, async (name) => {
        expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 320]);
        expect(await page.evaluate("document.documentElement.lang")).toBe(language);
        expect(await page.locator("h1").count()).toBe(1);
        expect(await page.evaluate(UNLABELED)).toEqual([]);
        if (language === "en") expect([name, await findViolations(page)]).toEqual([name, []]);
      });
      expect(problems).toEqual([]);
      await close();
    }
  });

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      const { page, close } = await newVisitor(options);
      await visitPages(page, "en", (name) => takePicture(page, name, form));
      await close();
    });
});

/** Visible fields without a label, and buttons and links without a text. */
const UNLABELED = `[...document.querySelectorAll("input:not([type=hidden]):not([hidden]), button:not([aria-hidden]), a")]
  .filter((element) => (element.labels ? ![...element.labels].some((label) => label.textContent.trim()) && element.tagName === "INPUT" : false)
    || (element.tagName !== "INPUT" && !element.textContent.trim()))
  .map((element) => element.outerHTML)`;
