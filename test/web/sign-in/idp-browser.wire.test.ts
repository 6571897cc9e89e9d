import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { describeInChromium, isHarmless, launchChromium } from "../../support/chromium.ts";
import { type OtherProviders, startOtherProviders } from "../../support/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/relying-party.ts";
import { startService, type TestService } from "../../support/service.ts";
import { importAda, VERIFIED } from "../../support/visitor.ts";
import { createIdpScene, type IdpScene, newSub, PERSON } from "./idp-scene.ts";

/** Folder for screenshots of the pages, such as those in docs/images; none are taken without it. */
const PICTURES = process.env.PICTURES;
const ORIGIN = "http://id.example.com";
const APP = "http://notes.example.net";
const PASSWORD = "analytical engine no. 1";
const NARROWEST = { viewport: { width: 320, height: 640 } };
/** The statuses of the error pages in these tests. */
const STATUSES = [422, 502];

describeInChromium("a sign-in with a provider, in Chromium", () => {
  let providers: OtherProviders;
  let service: TestService;
  let app: RelyingParty;
  let scene: IdpScene;
  let appServer: Server;
  let browser: Browser;

  beforeAll(async () => {
    providers = await startOtherProviders();
    service = await startService("postgres", { PUBLIC_URL: ORIGIN });
    service.secret(PASSWORD);
    appServer = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><link rel=icon href=data:><h1>Notes</h1>");
    });
    await new Promise<void>((resolve) => appServer.listen(0, "127.0.0.1", resolve));
    const { port } = appServer.address() as AddressInfo;
    app = await createRelyingParty(service, { name: "Notes", redirect_uris: [`${APP}/callback`] });
    scene = createIdpScene(service, app, providers);
    browser = await launchChromium({ "id.example.com": service.port, "notes.example.net": port });
  });
  afterAll(async () => {
    await browser?.close();
    appServer?.close();
    await service?.close();
    await providers?.close();
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
    service.clockOffsetMs += 6_000;
    return { page, problems, close: () => context.close() };
  }

  const choose = (page: Page, id: string) => page.click(`button[value="${id}"]`);

  test("an imported user signs in at the provider for the first time, without JavaScript", async () => {
    const sub = newSub();
    const idp = await scene.newIdp({ account: { sub }, asks: true });
    const idps = [{ configId: idp.id, externalUserId: sub, displayName: "ada@other" }];
    const userId = await importAda(service, { ...VERIFIED, idps });
    const { page, problems, close } = await newVisitor({ javaScriptEnabled: false });
    const request = createRequest(app);
    await page.goto(request.url.href);
    await choose(page, idp.id);
    await page.waitForURL(`${providers.origin}/**`);
    await page.click("text=Yes");
    await page.waitForURL(`${APP}/callback?code=**`);
    expect((await redeem(service, app, new URL(page.url()), request)).claims()?.sub).toBe(userId);
    expect(problems).toEqual([]);
    await close();
  });

  test("a user links an existing account with the keyboard and without JavaScript", async () => {
    const userName = `user-${newSub()}`;
    const userId = await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
    const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() }, asks: true });
    const { page, problems, close } = await newVisitor({ javaScriptEnabled: false });
    const request = createRequest(app);
    await page.goto(request.url.href);
    await choose(page, idp.id);
    await page.click("text=Yes");
    await page.waitForSelector("[value=to-link]");
    await page.focus("[value=to-link]");
    await page.keyboard.press("Enter");
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[value=link]");
    await page.keyboard.press("Tab");
    await page.focus("[value=link]");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${APP}/callback?code=**`);
    expect((await redeem(service, app, new URL(page.url()), request)).claims()?.sub).toBe(userId);
    expect(problems).toEqual([]);
    await close();
  });

  /** Opens each page in turn. */
  async function visitPages(page: Page, visit: (name: string) => Promise<void>): Promise<void> {
    const down = await scene.newIdp({ fields: { name: "Example Workforce" }, variant: "down-metadata" });
    const google = { name: "Google", stylingType: "STYLING_TYPE_GOOGLE" };
    const idp = await scene.newIdp({ fields: google, account: { ...PERSON, sub: newSub() } });
    const userName = `user-${newSub()}`;
    await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
    service.clockOffsetMs += 6_000;
    await page.goto(createRequest(app).url.href);
    await visit("sign-in");
    await choose(page, down.id);
    await page.waitForSelector("h1.problem");
    await visit("failed");
    await page.click("a.button");
    await choose(page, idp.id);
    await page.waitForSelector("[value=to-link]");
    await visit("unknown");
    await page.click("[value=to-register]");
    await page.waitForSelector("#firstName");
    await visit("register");
    await page.click("[value=to-link]");
    await page.waitForSelector("#username");
    await visit("link");
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[value=link]");
    await visit("confirm");
    await service.db.deleteFrom("idps").where("id", "in", [down.id, idp.id]).execute();
  }

  test("no page is wider than a screen of 320 pixels, in any language", async () => {
    for (const language of ["en", "de", "fr", "es"]) {
      const { page, problems, close } = await newVisitor({ ...NARROWEST, locale: language });
      await visitPages(page, async (name) => {
        expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 320]);
        expect(await page.evaluate("document.documentElement.lang")).toBe(language);
        expect(await page.locator("h1").count()).toBe(1);
      });
      expect(problems).toEqual([]);
      await close();
    }
  });

  if (PICTURES !== undefined)
    test("screenshots of the pages are taken", async () => {
      mkdirSync(PICTURES, { recursive: true });
      const forms: readonly (readonly [string, BrowserContextOptions])[] = [
        ["wide", { viewport: { width: 720, height: 600 } }],
        ["narrow", { viewport: { width: 320, height: 640 }, locale: "de" }],
        ["dark", { viewport: { width: 720, height: 600 }, colorScheme: "dark" }],
      ];
      for (const [form, options] of forms) {
        const { page, close } = await newVisitor(options);
        await service.db.deleteFrom("idps").execute();
        await visitPages(page, async (name) => {
          await page.screenshot({ path: join(PICTURES, `idp-${name}-${form}.png`), fullPage: true });
        });
        await close();
      }
    });
});
