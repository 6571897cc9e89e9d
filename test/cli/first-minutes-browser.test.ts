import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { describeInChromium, launchChromium } from "../support/browsers/chromium.ts";
import { freePort } from "../support/free-port.ts";
import { createProcesses, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { createPageCommands, type PageCommands } from "./page-commands.ts";

const PASSWORD = "analytical engine no. 1";
const README = readFileSync("README.md", "utf8");

describeInChromium("the commands of README.md lead to a sign-in, in Chromium", () => {
  const processes = createProcesses();
  let dataDir: string;
  let server: TestServer;
  let appPort: number;
  let commands: PageCommands;
  let browser: Browser;

  beforeAll(async () => {
    processes.secret(PASSWORD);
    dataDir = processes.dataDir("data");
    const port = await freePort();
    server = await processes.serve({ DATA_DIR: dataDir, PORT: String(port) });
    appPort = await freePort();
    commands = createPageCommands("README.md", {
      origin: server.origin,
      dataDir,
      ports: { 3000: appPort },
      variables: { APP_PORT: String(appPort) },
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    commands?.close();
    await processes.close();
  });

  async function claimsOn(page: Page): Promise<unknown> {
    await page.waitForURL(`http://localhost:${appPort}/`);
    return JSON.parse((await page.textContent("pre")) ?? "");
  }

  test("the link that is printed makes the first administrator, works once, and leads to the console, signed in", async () => {
    const [link = ""] = /http:\/\/\S+\/ui\/first-administrator\?code=\S+/.exec(server.stdout()) ?? [];
    const context = await browser.newContext({ locale: "en-US" });
    const page = await context.newPage();
    await page.goto(`${server.origin}/console`);
    await page.waitForSelector("text=signet admin link");
    await page.goto(link);
    await page.fill("[name=firstName]", "Charles");
    await page.fill("[name=lastName]", "Babbage");
    await page.fill("[name=email]", "charles@example.com");
    await page.fill("[name=password]", PASSWORD);
    await page.fill("[name=repeat]", PASSWORD);
    await page.keyboard.press("Enter");
    await page.click("text=Not now");
    await page.waitForURL(/\/console\/orgs\/[\w-]+$/);
    await page.click("nav >> text=Users");
    await page.waitForSelector("tbody >> text=Charles Babbage");
    expect(new URL(page.url()).origin).toBe(server.origin);
    await context.close();

    const other = await browser.newContext();
    const again = await other.newPage();
    await again.goto(link);
    expect(await again.locator("[name=password]").count()).toBe(0);
    await other.close();
  });

  test("a user is created, sets the password by the email's link, and signs in to the application", async () => {
    await commands.outputOf('"userName":"ada@example.com"', /"userId"/);
    const mail = join(dataDir, "mail");
    await until(
      "the email is written",
      () => existsSync(mail) && readdirSync(mail).some((name) => name.endsWith(".eml")),
    );
    const link = (await commands.outputOf("X-Link", /http\S+/)).trim();
    const page = await browser.newPage();
    await page.goto(link);
    await page.fill("[name=password]", PASSWORD);
    await page.fill("[name=repeat]", PASSWORD);
    await page.keyboard.press("Enter");
    await page.click("text=Not now");
    await page.waitForSelector("text=Your account is ready");
    await commands.outputOf("examples/oidc-app.js", /open http/);
    await page.goto(`http://localhost:${appPort}`);
    await page.click("text=Sign in");
    expect(await claimsOn(page)).toMatchObject({
      name: "Ada Lovelace",
      email: "ada@example.com",
      email_verified: true,
    });

    // The user with an imported hash, after a sign-out from the application and from Signet.
    const password = /The password is `(.+?)`/.exec(README)?.[1] ?? "";
    await commands.outputOf('"userName":"grace"', /"userId"/);
    await page.click("text=Sign out");
    await page.click("text=Sign in");
    await page.fill("#username", "grace");
    await page.fill("#password", password);
    await page.keyboard.press("Enter");
    await page.click("text=Not now");
    expect(await claimsOn(page)).toMatchObject({ name: "Grace Hopper", email: "grace@example.com" });
  });
});
