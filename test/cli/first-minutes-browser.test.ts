import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { describeInChromium, launchChromium } from "../support/chromium.ts";
import { freePort } from "../support/postgres.ts";
import { createProcesses, type TestServer, until } from "../support/process.ts";

const PASSWORD = "analytical engine no. 1";
const README = readFileSync("README.md", "utf8");

describeInChromium("the commands of README.md lead to a sign-in, in Chromium", () => {
  const processes = createProcesses();
  const children: ChildProcess[] = [];
  let dataDir: string;
  let server: TestServer;
  let appPort: number;
  let browser: Browser;

  beforeAll(async () => {
    processes.secret(PASSWORD);
    dataDir = processes.dataDir("data");
    const port = await freePort();
    server = await processes.serve({ DATA_DIR: dataDir, PORT: String(port) });
    appPort = await freePort();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    for (const child of children) if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
    await processes.close();
  });

  /**
   * Starts the block of shell commands that contains a text, with this test's ports and folder. Collects its output.
   */
  function startCommands(text: string): { readonly output: () => string } {
    const block = [...README.matchAll(/```sh\n(.*?)```/gs)].find(([, commands]) => commands?.includes(text))?.[1];
    if (block === undefined) throw new Error(`README.md has no commands with ${text}`);
    const commands = block
      .replaceAll("http://localhost:8080", server.origin)
      .replaceAll("localhost:3000", `localhost:${appPort}`)
      .replaceAll(/\bdata\//g, `${dataDir}/`);
    const env = { ...process.env, DATA_DIR: dataDir, SIGNET_URL: server.origin, APP_PORT: String(appPort) };
    const child = spawn("bash", ["-e"], { env, detached: true, stdio: ["pipe", "pipe", "ignore"] });
    children.push(child);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
    child.stdin.end(commands);
    return { output: () => output };
  }

  async function outputOf(text: string, expected: RegExp): Promise<string> {
    const { output } = startCommands(text);
    return await until(`the commands print ${expected}`, () => expected.exec(output())?.[0]);
  }

  test("a user is created, sets the password by the email's link, and signs in to the application", async () => {
    await outputOf('"userName":"ada@example.com"', /"userId"/);
    const mail = join(dataDir, "mail");
    await until(
      "the email is written",
      () => existsSync(mail) && readdirSync(mail).some((name) => name.endsWith(".eml")),
    );
    const link = (await outputOf("X-Link", /http\S+/)).trim();
    const page = await browser.newPage();
    await page.goto(link);
    await page.fill("[name=password]", PASSWORD);
    await page.fill("[name=repeat]", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
    await outputOf("examples/oidc-app.js", /open http/);
    await page.goto(`http://localhost:${appPort}`);
    await page.click("text=Sign in");
    await page.fill("#username", "ada@example.com");
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.click("text=Not now");
    await page.waitForURL(`http://localhost:${appPort}/signed-in**`);
    const claims = JSON.parse((await page.textContent("pre")) ?? "");
    expect(claims).toMatchObject({ name: "Ada Lovelace", email: "ada@example.com", email_verified: true });
  });
});
