import * as client from "openid-client";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { LANGUAGES } from "../../src/texts/languages.ts";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium, isHarmless, launchChromium } from "../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../support/browsers/pictures.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createRelyingParty, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const ORIGIN = "http://id.example.com";
const PASSWORD = "analytical engine no. 1";
/** The statuses of the error pages in these tests. */
const STATUSES = [400, 422];
const NARROWEST = { viewport: { width: 320, height: 640 } };

describeInChromium("the pages for devices, sign-out and errors, in Chromium", () => {
  let service: TestService;
  let television: RelyingParty;
  let browser: Browser;
  let names = 0;

  beforeAll(async () => {
    service = await startService("postgres", { PUBLIC_URL: ORIGIN });
    service.secret(PASSWORD);
    television = await createRelyingParty(service, {
      name: "Television",
      type: "native",
      auth_method: "none",
      redirect_uris: [],
      grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
    });
    browser = await launchChromium({ "id.example.com": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function newVisitor(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (!isHarmless(message.text(), STATUSES)) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    return { page, problems, close: () => context.close() };
  }

  async function beginOnDevice() {
    const begun = await client.initiateDeviceAuthorization(television.configuration, { scope: "openid" });
    service.secret(begun.device_code);
    return begun;
  }

  /** Opens each page in turn, with a user of the language. */
  async function visitPages(page: Page, language: string, visit: (name: string) => Promise<void>): Promise<void> {
    const userName = `user-${++names}`;
    const profile = { firstName: "Ada", lastName: "Lovelace", preferredLanguage: language };
    await importAda(service, { userName, password: PASSWORD, profile, ...VERIFIED });
    const { user_code } = await beginOnDevice();
    await page.goto(`${ORIGIN}/ui/device`);
    await visit("device");
    await page.fill("#user_code", "BBBB-BBBB");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert]");
    await visit("device-error");
    await page.fill("#user_code", user_code);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[name=confirm]");
    await visit("device-confirm");
    await page.click("[name=confirm]");
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
    await visit("device-done");
    await page.goto(`${ORIGIN}/oidc/v1/end_session`);
    await page.waitForSelector("[name=logout]");
    await visit("sign-out");
    await page.click("[name=logout]");
    await page.waitForSelector("h1.done");
    await visit("sign-out-done");
    await page.goto(`${ORIGIN}/oauth/v2/authorize?client_id=unknown&response_type=code`);
    await page.waitForSelector("h1.problem");
    await visit("provider-error");
  }

  test("a user signs in a device without JavaScript, from the link that it shows", async () => {
    const begun = await beginOnDevice();
    const userName = `user-${++names}`;
    const userId = await importAda(service, { userName, password: PASSWORD, ...VERIFIED });
    const { page, problems, close } = await newVisitor({ javaScriptEnabled: false });
    await page.goto(String(begun.verification_uri_complete));
    expect(await page.inputValue("#user_code")).toBe(begun.user_code);
    await page.click("form button");
    await page.waitForSelector("[name=confirm]");
    expect(await page.locator("dd").allTextContents()).toEqual(["Television", begun.user_code]);
    await page.click("[name=confirm]");
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
    const tokens = await client.pollDeviceAuthorizationGrant(television.configuration, { ...begun, interval: 1 });
    service.secret(tokens.access_token);
    expect(tokens.claims()?.sub).toBe(userId);
    expect(problems).toEqual([]);
    await close();
  });

  test("no page is wider than a screen of 320 pixels, in any language, and axe finds nothing", async () => {
    for (const language of LANGUAGES) {
      const { page, problems, close } = await newVisitor({ ...NARROWEST, locale: language });
      await visitPages(page, language, async (name) => {
        expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 320]);
        expect(await page.evaluate("document.documentElement.lang")).toBe(language);
        expect(await page.locator("h1").count()).toBe(1);
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
