import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareSync } from "bcryptjs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import PostalMime from "postal-mime";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import { findViolations } from "../../support/browsers/axe.ts";
import { describeInChromium, hasFailed, isHarmless, launchChromium } from "../../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../../support/browsers/pictures.ts";
import {
  call,
  changePhone,
  eventsAfter,
  importAda,
  lastReceived,
  userOf,
  wrongDigits,
} from "../../support/browsers/visitor.ts";
import { type Caller, createCaller } from "../../support/clients/callers.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

/** A host that only this browser resolves, without TLS: the browser then sends no `Sec-Fetch-Site`. */
const ORIGIN = "http://id.example.com";
const PASSWORD = "analytical engine no. 1";
/** The statuses of the error pages in these tests. */
const STATUSES = [404, 410, 422];
const NARROWEST = { viewport: { width: 320, height: 640 } };

describeInChromium("the pages, in Chromium", () => {
  let service: TestService;
  let caller: Caller;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService("postgres", { PUBLIC_URL: ORIGIN, SMS_PROVIDER: "file" });
    service.secret(PASSWORD);
    caller = createCaller("grpc-web", service, service.adminToken);
    browser = await launchChromium({ "id.example.com": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    caller?.close();
    await service?.close();
  });

  /** A new browser context. Its errors, such as violations of the Content-Security-Policy, are in `problems`. */
  async function newVisitor(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("requestfailed", (request) => {
      if (hasFailed(request)) problems.push(request.url());
    });
    return { page, problems, close: () => context.close() };
  }

  const heading = async (page: Page) => (await page.textContent("h1"))?.trim();
  const focused = (page: Page) =>
    page.evaluate<string>("document.activeElement.id || document.activeElement.textContent");

  async function tabTo(page: Page, what: string): Promise<void> {
    for (let steps = 0; steps < 10; steps++) {
      if ((await focused(page)).trim() === what) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`the keyboard does not reach ${what}`);
  }

  /** Delivers what is queued, and returns the latest file. */
  async function lastFile(folder: "mail" | "sms"): Promise<string> {
    await service.delivery.deliverDue();
    const path = join(service.config.dataDir, folder);
    const names = readdirSync(path).sort();
    return readFileSync(join(path, names.at(-1) ?? ""), "utf8");
  }

  /** The link in a message. Registers its secret with the service. */
  function toLink(text: string, path: string): string {
    const link = new RegExp(`${ORIGIN}${path}\\?code=[\\w.-]+`).exec(text)?.[0];
    if (link === undefined) throw new Error("no link was sent");
    service.secret(link.split(".").at(-1) ?? "");
    return link;
  }

  test("a user sets up an account and confirms a number with the keyboard only and without JavaScript", async () => {
    const imported = await caller.call("ImportHumanUser", {
      userName: "ada",
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: "ada@example.com" },
    });
    if (!imported.ok) throw new Error(imported.message);
    const userId = String(imported.message.userId);
    const { text = "" } = await PostalMime.parse(await lastFile("mail"));
    const { page, problems, close } = await newVisitor({ javaScriptEnabled: false });

    await page.goto(toLink(text, "/ui/init"));
    expect(await heading(page)).toBe("Set up your account");
    expect(await userOf(service, userId)).toMatchObject({ email_verified: false, password_hash: null, sequence: 2n });
    await tabTo(page, "password");
    await page.keyboard.type(PASSWORD);
    await tabTo(page, "repeat");
    await page.keyboard.type(`${PASSWORD}!`);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert]");
    expect(await page.inputValue("#password")).toBe("");
    await page.waitForSelector("#password:focus");
    await page.keyboard.type(PASSWORD);
    await tabTo(page, "repeat");
    await page.keyboard.type(PASSWORD);
    await tabTo(page, "Finish");
    await page.keyboard.press("Space");
    await page.waitForSelector("[role=status]");
    // The user is signed in.
    expect(await heading(page)).toBe("Your account");
    expect(await page.textContent("[role=status]")).toContain("Your account is ready");
    const initialized = await userOf(service, userId);
    expect(initialized).toMatchObject({ email_verified: true, sequence: 6n });
    expect(compareSync(PASSWORD, initialized.password_hash ?? "")).toBe(true);
    expect((await eventsAfter(service, userId, 2n)).map(([type]) => type)).toEqual([
      "user.human.email.verified",
      "user.human.password.changed",
      "user.human.initialized",
      "user.human.signed.in",
    ]);

    const changed = await caller.call("UpdateHumanPhone", { userId, phone: "+41 79 123 45 67" });
    if (!changed.ok) throw new Error(changed.message);
    const sms = await lastFile("sms");
    const digits = /#(\d{6})/.exec(sms)?.[1] ?? "";
    await page.goto(toLink(sms, "/ui/phone"));
    expect(await heading(page)).toBe("Confirm your phone number");
    await tabTo(page, "digits");
    await page.keyboard.type(wrongDigits({ id: "", code: "", path: "", digits }));
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert]");
    expect(await page.textContent("[role=alert]")).toContain("4 attempts left");
    await page.waitForSelector("#digits:focus");
    expect(await page.inputValue("#digits")).toBe("");
    expect(await userOf(service, userId)).toMatchObject({ phone_verified: false, sequence: 8n });
    // The pattern of the field accepts a space.
    await page.keyboard.type(`${digits.slice(0, 3)} ${digits.slice(3)}`);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
    expect(await userOf(service, userId)).toMatchObject({ phone_verified: true, sequence: 9n });
    expect(await eventsAfter(service, userId, 8n)).toEqual([["user.human.phone.verified", { phone: "+41791234567" }]]);
    expect(problems.filter((problem) => !isHarmless(problem, STATUSES))).toEqual([]);
    await close();
  });

  /** The paths of pages in different states, with users to match. */
  async function pagesOf(language: string): Promise<Record<string, string>> {
    const profile = { firstName: "Ada", lastName: "Lovelace", preferredLanguage: language };
    const [userId, otherId] = [await importAda(service, { profile }), await importAda(service, { profile })];
    await changePhone(service, userId);
    await changePhone(service, otherId);
    const thirdId = await importAda(service, {
      profile,
      password: PASSWORD,
      email: { email: "ada@example.com", isEmailVerified: true },
    });
    await call(service, "UpdateHumanEmail", { userId: thirdId, email: "ada@example.org" });
    const email = await lastReceived(service, thirdId, "email");
    const init = await lastReceived(service, userId, "initialization");
    const old = await lastReceived(service, otherId, "initialization");
    const phone = await lastReceived(service, userId, "phone");
    const ended = await lastReceived(service, otherId, "phone");
    await service.db
      .updateTable("codes")
      .set({ expires_at: new Date(0) })
      .where("id", "=", old.id)
      .execute();
    await service.db.updateTable("codes").set({ attempts: 5 }).where("id", "=", ended.id).execute();
    return {
      init: init.path,
      "init-over": old.path,
      email: email.path,
      phone: phone.path,
      "phone-over": ended.path,
      "no-link": "/ui/init",
    };
  }

  test("no page is wider than a screen of 320 pixels, in any language", async () => {
    for (const language of LANGUAGES) {
      const { page, problems, close } = await newVisitor({ ...NARROWEST, locale: language });
      for (const [name, path] of Object.entries(await pagesOf(language))) {
        await page.goto(ORIGIN + path);
        expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 320]);
        expect(await page.evaluate("document.documentElement.lang")).toBe(language);
        expect(await page.locator("h1").count()).toBe(1);
        if (language === "en") expect([name, await findViolations(page)]).toEqual([name, []]);
      }
      expect(problems.filter((problem) => !isHarmless(problem, STATUSES))).toEqual([]);
      await close();
    }
  });

  test("a very long name and address fit on the page", async () => {
    const address = `${"x".repeat(64)}@${"y".repeat(60)}.${"z".repeat(60)}.example`;
    const userId = await importAda(service, {
      profile: { firstName: "Ada", lastName: "Lovelace", displayName: "W".repeat(200) },
      email: { email: address },
    });
    const { path } = await lastReceived(service, userId, "initialization");
    const { page, close } = await newVisitor(NARROWEST);
    await page.goto(ORIGIN + path);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await close();
  });

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      service.clockOffsetMs = 0;
      const paths = await pagesOf("en");
      service.clockOffsetMs = 120_000;
      const { page, close } = await newVisitor(options);
      const shoot = (name: string) => takePicture(page, name, form);
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(ORIGIN + path);
        await shoot(name);
      }
      await page.goto(ORIGIN + paths["init-over"]);
      await page.click("[value=send]");
      await page.waitForSelector("h1.done");
      await shoot("init-sent");
      await page.goto(ORIGIN + paths.init);
      await page.fill("#password", PASSWORD);
      await page.fill("#repeat", `${PASSWORD}!`);
      await page.keyboard.press("Enter");
      await page.waitForSelector("[role=alert]");
      await shoot("init-error");
      await page.fill("#password", PASSWORD);
      await page.fill("#repeat", PASSWORD);
      await page.keyboard.press("Enter");
      // The user is signed in.
      await page.waitForSelector("[role=status]");
      await shoot("init-done");
      await page.goto(ORIGIN + paths.phone);
      await page.fill("#digits", "123 456");
      await page.keyboard.press("Enter");
      await page.waitForSelector("[role=alert]");
      await shoot("phone-error");
      await close();
    });
});
