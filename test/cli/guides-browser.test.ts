import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { describeInChromium, launchChromium } from "../support/browsers/chromium.ts";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { freePort } from "../support/free-port.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { type CommandsOptions, createPageCommands, type PageCommands } from "./page-commands.ts";

const PASSWORD = "analytical engine no. 1";

describeInChromium("the commands of docs/guides", () => {
  const processes = createProcesses();
  let dataDir: string;
  let token: string;
  let server: TestServer;
  let apiPort: number;
  let options: CommandsOptions;
  const opened: PageCommands[] = [];
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
    options = { origin: server.origin, dataDir, ports: { 3001: apiPort }, variables };
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    for (const commands of opened) commands.close();
    await processes.close();
  });

  function open(page: string): PageCommands {
    const commands = createPageCommands(page, options);
    opened.push(commands);
    return commands;
  }

  test("Google is added with the commands of docs/providers/google.md, and its callback URL is printed", async () => {
    const google = open("docs/providers/google.md");
    const [, id] = /"id":"([^"]+)"/.exec(await google.run("GOOGLE_CLIENT_ID")) ?? [];
    expect(await google.run("idp show")).toContain(`callbackUrl: ${server.origin}/ui/idps/${id}/callback\n`);
  });

  test("docs/guides/protect-an-api.md: an Express API accepts the access token for it, and no other one", async () => {
    const body = { ...human("ada@example.com"), password: PASSWORD };
    const { userId } = (await send(server.origin, "POST", IMPORT_PATH, { token, body })).body;
    const commands = open("docs/guides/protect-an-api.md");
    await commands.run("api add");
    expect(await commands.outputOf("examples/express/api.js", /listening on/)).toBe("listening on");
    await commands.run("Orders tool");
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
  });

  test("docs/guides/service-to-service.md: a service gets a token for one API, which the API recognizes", async () => {
    const commands = open("docs/guides/service-to-service.md");
    await commands.run("api add");
    await commands.run('"Nightly job" --type service');
    await commands.run("grant_type=client_credentials");
    const { userId } = JSON.parse(readFileSync(join(dataDir, "nightly-user.json"), "utf8"));
    const expected = { active: true, sub: userId, aud: "https://api.example.com/stock", scope: "stock:read" };
    expect(JSON.parse(await commands.run("oauth/v2/introspect"))).toMatchObject(expected);
  });

  test("docs/guides/customers.md: a customer has an organization with its own users and provider, until it leaves", async () => {
    const commands = open("docs/guides/customers.md");
    await commands.run("orgs/_setup");
    const { orgId, userId } = JSON.parse(readFileSync(join(dataDir, "acme.json"), "utf8"));
    const headers = { "x-service-orgid": orgId };
    const imported = JSON.parse(await commands.run("road.runner"));
    const listed = await send(server.origin, "POST", "/management/v1/users/_search", { token, headers, body: {} });
    const ids = listed.body.result.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual([userId, imported.userId].sort());
    await commands.run('"Orders" --instance');
    await commands.run("idp add saml");
    const page = await browser.newPage();
    await page.goto((await commands.run("oauth/v2/authorize")).trim());
    const text = await page.textContent("main");
    expect(text).toContain("Sign in to Orders");
    expect(text).toContain("Sign in with Acme");
    await commands.run("orgs/me/_deactivate");
    await page.reload();
    expect(await page.textContent("main")).not.toContain("Sign in to Orders");
  });

  test.each([
    ["entra", "azure", "grace", "48d31887-5fad-4d73-a9f5-3c356e68a038"],
    ["okta", "oidc", "ada", "00ujl29u0le5T6Aj10h7"],
  ])("docs/guides/%s.md: a user whom the directory sends is linked by its id there", async (name, kind, user, id) => {
    const commands = open(`docs/guides/${name}.md`);
    await commands.run(`idp add ${kind}`);
    await commands.run("scim add");
    await commands.run(`${name}-${user}.json`);
    const { result } = JSON.parse(await commands.run("idps/_search"));
    const { id: idpId } = JSON.parse(readFileSync(join(dataDir, `${name}-idp.json`), "utf8"));
    expect(result).toMatchObject([{ idpId, providedUserId: id }]);
    await until("the log has the request", async () =>
      /POST \/Users +201 +added/.test(await commands.run("scim requests")),
    );
  });

  test.each([
    ["browser-app", "Orders page"],
    ["mobile-app", "Orders app"],
  ])("docs/guides/%s.md: the application is registered, and the sign-in page names it", async (name, app) => {
    const commands = open(`docs/guides/${name}.md`);
    await commands.run("app create");
    const page = await browser.newPage();
    await page.goto((await commands.run("oauth/v2/authorize")).trim());
    expect(await page.textContent("h1")).toBe(`Sign in to ${app}`);
  });

  test("docs/guides/nextjs.md: the application is registered with the addresses of the example", async () => {
    await open("docs/guides/nextjs.md").run("app create");
    expect(JSON.parse(readFileSync(join(dataDir, "nextjs.json"), "utf8"))).toHaveProperty("clientSecret");
  });
});
