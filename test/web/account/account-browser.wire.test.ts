import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import { findViolations } from "../../support/browsers/axe.ts";
import { addAuthenticator, describeInChromium, isHarmless, launchChromium } from "../../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../../support/browsers/pictures.ts";
import { importAda, lastReceived, VERIFIED } from "../../support/browsers/visitor.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { ACCOUNT, PASSWORD, storeFakePasskey } from "./account-scene.ts";

/** A secure context, so that passkeys and the clipboard work. */
const ORIGIN = "http://id.localhost";

describeInChromium("the account page, in Chromium", () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService("postgres", { PUBLIC_URL: ORIGIN, SMS_PROVIDER: "file", ACCOUNT_DELETION: "true" });
    service.secret(PASSWORD);
    browser = await launchChromium({ "id.localhost": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  let names = 0;

  /** A user who has signed in to the account page. Errors of the browser are in `problems`. */
  async function newVisitor(options: BrowserContextOptions = {}) {
    const userName = `visitor-${++names}`;
    const phone = { phone: "+41791234567", isPhoneVerified: true };
    const userId = await importAda(service, { userName, ...VERIFIED, phone, password: PASSWORD });
    await storeFakePasskey(service, userId, `passkey-of-${names}`, { name: "Ada’s phone" });
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(ORIGIN + ACCOUNT);
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Your data");
    return { userId, userName, page, problems, close: () => context.close() };
  }

  const heading = async (page: Page) => (await page.textContent("h1"))?.trim();

  type Visitor = Awaited<ReturnType<typeof newVisitor>>;

  /** Opens each page in turn. */
  async function visitPages(
    { page, userId, userName }: Visitor,
    visit: (name: string) => Promise<void>,
  ): Promise<void> {
    const id = `passkey-of-${userName.split("-")[1]}`;
    const paths = {
      account: "",
      name: "/name",
      "user-name": "/user-name",
      language: "/language",
      phone: "/phone",
      "phone-remove": "/phone/remove",
      password: "/password",
      "passkey-rename": `/passkeys/rename?id=${id}`,
      "passkey-remove": `/passkeys/remove?id=${id}`,
      "one-time-code": "/one-time-code",
      data: "/data",
      delete: "/delete",
      email: "/email",
    };
    for (const [name, path] of Object.entries(paths)) {
      const response = await page.goto(ORIGIN + ACCOUNT + path);
      expect([response?.status(), page.url()]).toEqual([200, ORIGIN + ACCOUNT + path]);
      await visit(name);
    }
    await page.fill("#email", `${userName}@example.org`);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=status]");
    await visit("notice");
    const { path } = await lastReceived(service, userId, "email-change");
    await page.goto(ORIGIN + path);
    await visit("new-email");
    await page.click("form button");
    await page.waitForSelector("h1.done");
    await visit("new-email-done");
  }

  test.each(PICTURE_FORMS)("all pages are accessible and fit: %s", async (_, options) => {
    const visitor = await newVisitor(options);
    const { page, problems, close } = visitor;
    await visitPages(visitor, async (name) => {
      expect([name, await findViolations(page)]).toEqual([name, []]);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect([name, width]).toEqual([name, options.viewport?.width]);
    });
    expect(problems.filter((problem) => !isHarmless(problem, []))).toEqual([]);
    await close();
  });

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      const visitor = await newVisitor(options);
      // Other tests take these.
      const others = ["account", "password", "one-time-code"];
      await visitPages(visitor, async (name) => {
        if (!others.includes(name)) await takePicture(visitor.page, `account-${name}`, form);
      });
      await visitor.close();
    });

  /** The names of all buttons and links, as Chromium computes them for screen readers. */
  async function namesOfActions(page: Page): Promise<string[]> {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    return nodes
      .filter(({ ignored, role }) => !ignored && ["button", "link"].includes(String(role?.value)))
      .map(({ name }) => String(name?.value));
  }

  test("actions with the same label have names of their own for screen readers", async () => {
    const { userId, userName, page, close } = await newVisitor();
    for (const id of ["second", "third"]) {
      await storeFakePasskey(service, userId, `${id}-of-${userName}`, { name: "Ada’s phone" });
    }
    // Two more browsers of the same kind, signed in within the same minute.
    const others = [await browser.newContext(), await browser.newContext()];
    for (const other of others) {
      const tab = await other.newPage();
      await tab.goto(ORIGIN + ACCOUNT);
      await tab.fill("#username", userName);
      await tab.fill("#password", PASSWORD);
      await tab.keyboard.press("Enter");
      await tab.waitForSelector("text=Your data");
    }
    await page.goto(ORIGIN + ACCOUNT);
    const names = await namesOfActions(page);
    const isEnd = (name: string) => /^Sign out ?: Chrome on Linux/.test(name);
    expect(names.filter(isEnd)).toHaveLength(2);
    expect(names.filter((name) => /^Remove ?: Ada’s phone/.test(name))).toHaveLength(3);
    expect(names).toContain("Sign out");
    expect([...new Set(names)]).toEqual(names);

    await page.locator("form[action$='/sessions/end'] button").first().click();
    await page.waitForSelector("[role=status]");
    expect((await namesOfActions(page)).filter(isEnd)).toHaveLength(1);
    for (const other of others) await other.close();
    await close();
  });

  test("each password of the form that changes it can be shown", async () => {
    const { page, close } = await newVisitor();
    await page.goto(`${ORIGIN}${ACCOUNT}/password`);
    for (const name of ["current", "password", "repeat"]) {
      await page.click(`button[aria-controls="${name}"]`);
      expect([name, await page.getAttribute(`#${name}`, "type")]).toEqual([name, "text"]);
    }
    await close();
  });

  test("a user changes the name, adds a passkey and goes back, without sending a form again", async () => {
    const { page, problems, close } = await newVisitor();
    await page.click("a[href='/ui/account/name']");
    await page.fill("#displayName", "Countess of Lovelace");
    await page.click("button:has-text('Save')");
    await page.waitForSelector("[role=status]:has-text('Your name was changed.')");
    await addAuthenticator(page);
    await page.click("form[action='/ui/account/passkeys'] button");
    await page.waitForSelector("[role=status]:has-text('The passkey was added.')");
    expect(await page.locator("a[href*='/passkeys/remove']").count()).toBe(2);
    await page.reload();
    expect(await page.locator(".notice").count()).toBe(0);
    await page.goBack();
    // The page of the passkey's link, which was used: the service answers its script with 410.
    await page.waitForSelector("[role=alert]:not(:empty)");
    expect(await page.locator("#ceremony button:visible").count()).toBe(0);
    expect(await page.isVisible(".cancel a")).toBe(true);
    await page.goForward();
    expect(await heading(page)).toBe("Your account");
    expect(problems.filter((problem) => !isHarmless(problem, [410]))).toEqual([]);
    await close();
  });

  test("a user adds a passkey, signs in with it, sees when it was used, renames and removes it", async () => {
    const { userName, page, problems, close } = await newVisitor();
    await addAuthenticator(page);
    await page.click("form[action='/ui/account/passkeys'] button");
    await page.waitForSelector("[role=status]:has-text('The passkey was added.')");
    const row = page.locator(".rows > li:has(a[href*='/passkeys/remove'])", { hasNotText: "Ada’s phone" });
    expect(await row.textContent()).toContain("not used yet");

    await page.click("button:has-text('Sign out')");
    await page.waitForSelector("h1:has-text('You are signed out')");
    await page.click("a:has-text('Sign in')");
    // The page asks for a passkey in the field of the user name, and the authenticator responds at once.
    await page.waitForSelector("h1:has-text('Your account')");
    expect(await row.textContent()).toMatch(/last used on .*20\d\d/);

    await row.locator("a", { hasText: "Rename" }).click();
    await page.fill("#name", "Key of the Analytical Engine");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=status]:has-text('The passkey was renamed.')");
    const renamed = page.locator(".rows > li", { hasText: "Key of the Analytical Engine" });
    expect(await renamed.textContent()).toMatch(/last used on/);

    await renamed.locator("a", { hasText: "Remove" }).click();
    expect(await page.textContent("dd")).toContain("Key of the Analytical Engine");
    // Asks first.
    await page.click("button.danger");
    await page.waitForSelector("[role=status]:has-text('The passkey was removed.')");
    expect([await renamed.count(), await page.locator("a[href*='/passkeys/remove']").count()]).toEqual([0, 1]);
    expect(await page.textContent("body")).toContain(userName);
    expect(problems.filter((problem) => !isHarmless(problem, []))).toEqual([]);
    await close();
  });

  test.each([true, false])("recovery codes are saved, with scripts: %s", async (javaScriptEnabled) => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page, close } = await newVisitor({ javaScriptEnabled, permissions, acceptDownloads: true });
    await page.goto(`${ORIGIN}${ACCOUNT}/one-time-code`);
    const secret = parseTotpSecret((await page.locator("details code").textContent())?.replaceAll(" ", "") ?? "");
    if (secret === undefined) throw new Error("no secret");
    await page.fill("#code", codeOfStep(secret, stepAt(secret, new Date())));
    await page.click("button:has-text('Set up')");
    await page.waitForSelector("#codes");
    const codes = await page.locator("#codes code").allTextContents();
    expect(codes).toHaveLength(10);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("a[download]")]);
    expect(download.suggestedFilename()).toBe("signet-recovery-codes.txt");
    expect(
      readFileSync(await download.path(), "utf8")
        .split("\r\n")
        .slice(2, 12),
    ).toEqual(codes);
    expect(await page.locator("#copy").isVisible()).toBe(javaScriptEnabled);
    expect(await page.locator("#print").isVisible()).toBe(javaScriptEnabled);
    if (javaScriptEnabled) {
      await page.click("#copy");
      await page.waitForSelector("[role=status]:has-text('Copied.')");
      expect((await page.evaluate<string>("navigator.clipboard.readText()")).trim().split("\n")).toEqual(codes);
      expect(await findViolations(page)).toEqual([]);
    }
    if (javaScriptEnabled) {
      // The dialog of the browser would wait for its user.
      await page.evaluate("globalThis.print = () => document.body.setAttribute('data-printed', '')");
      await page.click("#print");
      await page.waitForSelector("body[data-printed]");
      await page.emulateMedia({ media: "print" });
      expect(await page.locator("#codes code:visible").allTextContents()).toEqual(codes);
      expect(await page.textContent(".on-paper:visible")).toMatch(/^Recovery codes of visitor-\d+ at id\.localhost$/);
      expect(await page.locator("button:visible, a:visible").count()).toBe(0);
      await page.emulateMedia({ media: "screen" });
    }
    await page.click("button:has-text('I have saved them')");
    await page.waitForSelector("[role=status]:has-text('One-time codes are set up.')");
    await page.goto(`${ORIGIN}${ACCOUNT}/one-time-code/new-recovery-codes`);
    expect(await heading(page)).toBe("New recovery codes");
    if (javaScriptEnabled) expect(await findViolations(page)).toEqual([]);
    await close();
  });
});
