import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { grantRole } from "../../../src/access/grant-role.ts";
import { describeInChromium, launchChromium } from "../../support/browsers/chromium.ts";
import { importAda, VERIFIED } from "../../support/browsers/visitor.ts";
import { freePort } from "../../support/free-port.ts";
import { createRelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

/** A host that only this browser resolves, without TLS. The application is on another site, `localhost`. */
const ORIGIN = "http://id.example.com";
const PASSWORD = "analytical engine no. 1";
const NARROWEST = { viewport: { width: 320, height: 640 } };

describeInChromium("examples/browser-sign-in, in Chromium", () => {
  let service: TestService;
  let example: ChildProcess;
  let app: string;
  let appId: string;
  let browser: Browser;

  beforeAll(async () => {
    const port = await freePort();
    app = `http://localhost:${port}`;
    service = await startService("postgres", { PUBLIC_URL: ORIGIN, CORS_ORIGINS: app });
    service.secret(PASSWORD);
    ({ id: appId } = await createRelyingParty(service, {
      name: "Browser example",
      type: "spa",
      auth_method: "none",
      api_access: true,
      dev_mode: true,
      redirect_uris: [`${app}/`],
      post_logout_redirect_uris: [`${app}/`],
    }));
    const userId = await importAda(service, { userName: "ada", password: PASSWORD, ...VERIFIED });
    const user = { id: userId, orgId: service.orgId };
    const scopeId = service.orgId;
    await grantRole({ db: service.db, clock: () => new Date() }, { user, role: "ORG_VIEWER", scopeId });
    await importAda(service, { userName: "without-role", password: PASSWORD, ...VERIFIED });

    const file = join(service.config.dataDir, "browser-app.json");
    writeFileSync(file, JSON.stringify({ clientId: appId }));
    const env = { ...process.env, SIGNET_URL: ORIGIN, APP_PORT: String(port) };
    example = spawn(process.execPath, ["examples/browser-sign-in/serve.js", file], { env, stdio: "pipe" });
    const hasEnded = once(example, "exit").then(() => Promise.reject(new Error("the example has ended")));
    if (example.stdout !== null) await Promise.race([once(example.stdout, "data"), hasEnded]);
    browser = await launchChromium({ "id.example.com": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    example?.kill();
    await service?.close();
  });

  /** A new browser context. Its errors, such as violations of a Content-Security-Policy or of CORS, are in `problems`. */
  async function newVisitor(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      const isNote = /Cross-Origin-Opener-Policy header has been ignored|status of (401|403)/.test(message.text());
      if (!isNote) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    return { context, page, problems, close: () => context.close() };
  }

  async function openSignIn(page: Page): Promise<void> {
    await page.goto(app);
    await page.click("#sign-in");
    await page.waitForSelector("#username");
    expect(new URL(page.url()).origin).toBe(ORIGIN);
  }

  async function signIn(page: Page, userName = "ada"): Promise<void> {
    await openSignIn(page);
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#signed-in");
  }

  /** The text of the user list, or of its error. */
  async function listUsers(page: Page): Promise<string> {
    await page.click("#list");
    await page.waitForSelector("#users li, #problem:not(:empty)");
    return `${await page.textContent("#users")}${await page.textContent("#problem")}`;
  }

  const stored = (page: Page) => page.evaluate<string>("JSON.stringify(sessionStorage)");

  test("a user signs in, the page calls gRPC-Web with the user's roles, and signing out ends both", async () => {
    const { page, problems, close } = await newVisitor();
    await signIn(page);
    expect(page.url()).toBe(`${app}/`);
    expect(await page.textContent("#name")).toBe("Ada Lovelace");
    expect(await listUsers(page)).toMatch(/ada/);
    const token = service.secret(/\\"access_token\\":\\"([\w-]+)/.exec(await stored(page))?.[1] ?? "");
    expect(token.length).toBeGreaterThan(20);
    await page.reload();
    expect(await listUsers(page)).toMatch(/ada/);

    await page.click("#sign-out");
    await page.waitForSelector("#signed-out");
    expect(page.url()).toBe(`${app}/`);
    expect(await stored(page)).not.toContain(token);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: "{}" };
    expect((await fetch(`${service.origin}/management/v1/users/_search`, init)).status).toBe(401);

    await page.goBack();
    await page.waitForSelector("#signed-out");
    expect(await page.textContent("body")).not.toContain("Ada Lovelace");
    await page.goto(app);
    await openSignIn(page);
    expect(problems).toEqual([]);
    await close();
  });

  test("a user without a role sees the reason", async () => {
    const { page, close } = await newVisitor();
    await signIn(page, "without-role");
    expect(await listUsers(page)).toMatch(/^PERMISSION_DENIED: /);
    expect(await page.isVisible("#signed-in")).toBe(true);
    await close();
  });

  test("a second tab signs in without a page, and notices that the first one has signed out", async () => {
    const { context, page, close } = await newVisitor();
    await signIn(page);
    const second = await context.newPage();
    await second.goto(app);
    await second.click("#sign-in");
    await second.waitForSelector("#signed-in");
    expect(await listUsers(second)).toMatch(/ada/);
    await page.click("#sign-out");
    await page.waitForSelector("#signed-out");
    await second.evaluate("document.getElementById('users').replaceChildren()");
    expect(await listUsers(second)).toMatch(/^TOKEN_INVALID: /);
    await second.waitForSelector("#signed-out");
    await close();
  });

  test("the page of an expired sign-in links to the application, which starts another one", async () => {
    const { page, close } = await newVisitor();
    await openSignIn(page);
    service.clockOffsetMs = 3_601_000;
    await page.fill("#username", "ada");
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.click("text=Start again at Browser example");
    await page.waitForSelector("#signed-out");
    expect(page.url()).toBe(`${app}/`);
    service.clockOffsetMs = 0;
    await signIn(page);
    await close();
  });

  test("canceling returns to the application, which shows this", async () => {
    const { page, close } = await newVisitor();
    await openSignIn(page);
    await page.click("[value=cancel]");
    await page.waitForSelector("#problem:not(:empty)");
    expect(await page.textContent("#problem")).toBe("the user canceled the sign-in");
    expect(page.url()).toBe(`${app}/`);
    await signIn(page);
    await close();
  });

  test("the keyboard is sufficient, on a dark screen of 320 pixels", async () => {
    const { page, problems, close } = await newVisitor({ ...NARROWEST, colorScheme: "dark" });
    const fits = async () => expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    const press = async (id: string) => {
      await page.waitForSelector(`#${id}`);
      for (let steps = 0; steps < 10; steps++) {
        if ((await page.evaluate("document.activeElement.id")) === id) break;
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
    };
    await page.goto(app);
    await fits();
    await press("sign-in");
    await page.waitForSelector("#username:focus");
    await fits();
    expect(await page.evaluate(LIGHTNESS)).toBeLessThan(0.2);
    await page.keyboard.type("ada");
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#signed-in");
    await fits();
    await press("list");
    await page.waitForSelector("#users li");
    await press("sign-out");
    await page.waitForSelector("#signed-out");
    expect(problems).toEqual([]);
    await close();
  });
});

/** The brightness of the page's background, from 0 to 1. */
const LIGHTNESS = `Math.max(...[document.body, document.documentElement]
  .map((element) => getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).map(Number))
  .filter(([, , , alpha = 1]) => alpha > 0)
  .map(([red, green, blue]) => Math.max(red, green, blue) / 255), 0)`;
