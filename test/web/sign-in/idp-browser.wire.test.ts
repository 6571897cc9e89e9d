import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buildEndSessionUrl } from "openid-client";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import { type ClientKind, PROVIDERS } from "../../idps/provider-requests.ts";
import { findViolations } from "../../support/browsers/axe.ts";
import { describeInChromium, isHarmless, launchChromium } from "../../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../../support/browsers/pictures.ts";
import { call, importAda, VERIFIED } from "../../support/browsers/visitor.ts";
import { type OtherProviders, startOtherProviders } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, newSub, PERSON } from "./idp-scene.ts";

const BRANDS = [
  ["Apple", "Apple"],
  ["AzureAD", "Microsoft"],
  ["GitHub", "GitHub"],
  ["GitLab", "GitLab"],
] as const;
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
    app = await createRelyingParty(service, {
      name: "Notes",
      redirect_uris: [`${APP}/callback`],
      post_logout_redirect_uris: [`${APP}/signed-out`],
    });
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

  test.each(["the account page", "the application"])("a sign-out on %s continues at the provider", async (where) => {
    const sub = newSub();
    const idp = await scene.newIdp({ account: { sub }, asks: true });
    await call(service, "UpdateIDP", { idpId: idp.id, name: idp.name, federatedLogoutEnabled: true });
    await importAda(service, { ...VERIFIED, idps: [{ configId: idp.id, externalUserId: sub }] });
    const { page, problems, close } = await newVisitor();
    await page.goto(createRequest(app).url.href);
    await choose(page, idp.id);
    await page.click("text=Yes");
    await page.waitForURL(`${APP}/callback?code=**`);
    if (where === "the application") {
      const parameters = { client_id: app.id, post_logout_redirect_uri: `${APP}/signed-out` };
      await page.goto(buildEndSessionUrl(app.configuration, parameters).href);
      await page.click("[value=yes]");
    } else {
      await page.goto(`${ORIGIN}/ui/account`);
      await page.click("form[action$='/sign-out'] button");
    }
    await page.waitForURL(`${idp.issuer}/**`);
    await page.click("text=Yes");
    if (where === "the application") await page.waitForURL(`${APP}/signed-out`);
    else await page.waitForSelector("h1:has-text('You are signed out')");
    expect(problems).toEqual([]);
    await close();
  });

  /** Adds a provider whose button its brand prescribes, and which is never opened. */
  async function addBrand(kind: ClientKind, name: string): Promise<string> {
    return String((await call(service, `AdminService.Add${kind}Provider`, { ...PROVIDERS[kind], name })).id);
  }

  /** Opens each page in turn. */
  async function visitPages(page: Page, visit: (name: string) => Promise<void>): Promise<void> {
    const down = await scene.newIdp({ fields: { name: "Example Workforce" }, variant: "down-metadata" });
    const brands = await Promise.all(BRANDS.map(([kind, name]) => addBrand(kind, name)));
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
    await service.db
      .deleteFrom("idps")
      .where("id", "in", [down.id, idp.id, ...brands])
      .execute();
  }

  test("no page is wider than a screen of 320 pixels, in any language", async () => {
    for (const language of LANGUAGES) {
      const { page, problems, close } = await newVisitor({ ...NARROWEST, locale: language });
      await visitPages(page, async (name) => {
        expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 320]);
        expect(await page.evaluate("document.documentElement.lang")).toBe(language);
        expect(await page.locator("h1").count()).toBe(1);
        if (language !== "en") return;
        for (const colorScheme of name === "sign-in" ? (["dark", "light"] as const) : (["light"] as const)) {
          await page.emulateMedia({ colorScheme });
          expect([name, colorScheme, await findViolations(page)]).toEqual([name, colorScheme, []]);
        }
      });
      expect(problems).toEqual([]);
      await close();
    }
  });

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      const { page, close } = await newVisitor(options);
      await service.db.deleteFrom("idps").execute();
      await visitPages(page, (name) => takePicture(page, `idp-${name}`, form));
      await close();
    });
});
