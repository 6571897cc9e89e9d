import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { describeInChromium, launchChromium } from "../support/browsers/chromium.ts";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { freePort } from "../support/free-port.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";
import { createPageCommands, type PageCommands } from "./page-commands.ts";

const PASSWORD = "analytical engine no. 1";

describeInChromium("the commands of docs/guides.md, in order", () => {
  const processes = createProcesses();
  let dataDir: string;
  let token: string;
  let server: TestServer;
  let apiPort: number;
  let commands: PageCommands;
  let google: PageCommands;
  let browser: Browser;

  beforeAll(async () => {
    processes.secret(PASSWORD);
    dataDir = processes.dataDir("data");
    server = await processes.serve({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    token = readToken(join(dataDir, "admin.token"));
    apiPort = await freePort();
    const variables = {
      API_PORT: String(apiPort),
      ADMIN_TOKEN_FILE: join(dataDir, "admin.token"),
      PUBLIC_URL: server.origin,
    };
    const options = { origin: server.origin, dataDir, ports: { 3001: apiPort }, variables };
    commands = createPageCommands("docs/guides.md", options);
    google = createPageCommands("docs/providers/google.md", options);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    commands?.close();
    google?.close();
    await processes.close();
  });

  test("Google is added with the commands of docs/providers/google.md, and its callback URL is printed", async () => {
    const [, id] = /"id":"([^"]+)"/.exec(await google.run("GOOGLE_CLIENT_ID")) ?? [];
    expect(await google.run("idp show")).toContain(`callbackUrl: ${server.origin}/ui/idps/${id}/callback\n`);
  });

  test("an Express API accepts the access token of its application, and no other one", async () => {
    const body = { ...human("ada@example.com"), password: PASSWORD };
    const { userId } = (await send(server.origin, "POST", IMPORT_PATH, { token, body })).body;
    await commands.run("Orders tool");
    const introspecting = await commands.outputOf("api.js introspection", /listening on/);
    expect(introspecting).toBe("listening on");
    const address = (await commands.run("device_authorization")).trim();
    const page = await browser.newPage();
    await page.goto(address);
    await page.click("main button");
    await page.click("[name=confirm]");
    await page.fill("#username", "ada@example.com");
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.click("text=Not now");
    await page.waitForSelector("h1.done");
    expect(JSON.parse(await commands.run("DEVICE_CODE"))).toEqual({ user: userId, orders: [] });

    const orders = `http://localhost:${apiPort}`;
    for (const wrong of [undefined, "nothing", token]) {
      const refused = await send(orders, "GET", "/orders", wrong === undefined ? {} : { token: wrong });
      expect(refused).toEqual({ status: 401, body: { error: "unauthorized" } });
    }
    expect(JSON.parse(await commands.run("accessTokenType"))).toHaveProperty("details");
  });

  test("a service gets a token for one API, which the API recognizes", async () => {
    await commands.run('"Orders service"');
    await commands.run('"Nightly job" --type service');
    await commands.run("grant_type=client_credentials");
    const { userId } = JSON.parse(readFileSync(join(dataDir, "nightly-user.json"), "utf8"));
    const expected = { active: true, sub: userId, aud: "https://api.example.com/orders", scope: "orders:read" };
    expect(JSON.parse(await commands.run("oauth/v2/introspect"))).toMatchObject(expected);
  });

  test("a customer has an organization with its own users and provider, until it leaves", async () => {
    await commands.run("orgs/_setup");
    const { orgId, userId } = JSON.parse(readFileSync(join(dataDir, "acme.json"), "utf8"));
    const headers = { "x-service-orgid": orgId };
    const imported = JSON.parse(await commands.run("road.runner"));
    const listed = await send(server.origin, "POST", "/management/v1/users/_search", { token, headers, body: {} });
    const ids = listed.body.result.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual([userId, imported.userId].sort());
    await commands.run('"Orders" --instance');
    await commands.run("idp add saml");
    const { clientId } = JSON.parse(readFileSync(join(dataDir, "orders.json"), "utf8"));
    const parameters = new URLSearchParams({
      ...{ client_id: clientId, redirect_uri: "https://orders.example.com/signed-in", response_type: "code" },
      ...{ code_challenge: "a".repeat(43), code_challenge_method: "S256" },
      scope: `openid urn:signet:org:id:${orgId}`,
    });
    const page = await browser.newPage();
    await page.goto(`${server.origin}/oauth/v2/authorize?${parameters}`);
    const text = await page.textContent("main");
    expect(text).toContain("Sign in to Orders");
    expect(text).toContain("Sign in with Acme");
    await commands.run("orgs/me/_deactivate");
    await page.reload();
    expect(await page.textContent("main")).not.toContain("Sign in to Orders");
  });
});
