import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashSync } from "bcryptjs";
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

  const search = async (query: object) => {
    const body = { queries: [query] };
    return (await send(server.origin, "POST", "/management/v1/users/_search", { token, body })).body.result ?? [];
  };

  test("users of Auth0 are imported with their passwords, and a second run continues the first one", async () => {
    const hash = hashSync(PASSWORD, 10);
    const at = { password_set_date: { $date: "2019-12-06T18:36:12.412Z" } };
    const database = { tenant: "example", connection: "Username-Password-Authentication", _tmp_is_unique: true };
    const toUser = (oid: string, fields: object) => ({
      _id: { $oid: oid },
      passwordHash: hash,
      ...at,
      ...database,
      ...fields,
    });
    const complete = toUser("60425dc43519d90068f82973", { email: "katherine@example.com", email_verified: true });
    // Some users have the address only among the identifiers, and some have an id of their own.
    const identifiers = [{ type: "email", value: "annie@example.com", verified: false }];
    const other = toUser("5dea9f9c82dd7c0e76e4ec93", { identifiers, alt_id: "euclid", email_verified: false });
    const broken = toUser("60425dc43519d90068f82974", { email: "mary@example.com", passwordHash: "$2b$10$cut" });
    const writeHashes = (...users: object[]) =>
      writeFileSync(join(dataDir, "auth0-hashes.ndjson"), users.map((user) => `${JSON.stringify(user)}\n`).join(""));
    writeHashes(complete, other, broken);
    const profile = { user_id: "auth0|60425dc43519d90068f82973", name: "katherine@example.com" };
    const names = { given_name: "Katherine", family_name: "Johnson", nickname: "katherine" };
    writeFileSync(join(dataDir, "auth0-users.ndjson"), `${JSON.stringify({ ...profile, ...names })}\n`);

    expect(await commands.run("grep -c")).toBe("1\n");
    const counts = await commands.run("examples/import-auth0.js", 1);
    expect(counts).toMatch(/^\{"imported":2,"failed":1,"skipped":0\} in [\d.]+ s: \d+ users\/s\n$/);
    const [katherine] = await search({ userNameQuery: { userName: "katherine@example.com" } });
    expect(katherine.human).toMatchObject({
      profile: { firstName: "Katherine", lastName: "Johnson", nickName: "katherine" },
      email: { email: "katherine@example.com", isEmailVerified: true },
    });
    const [annie] = await search({ userNameQuery: { userName: "annie@example.com" } });
    expect(annie.human.profile).toMatchObject({ firstName: "annie", lastName: "-" });
    expect(annie.human.email.isEmailVerified ?? false).toBe(false);
    const check = ["password", "check", "katherine@example.com"];
    const checked = await processes.runHere(check, { DATA_DIR: dataDir }, { input: `${PASSWORD}\n` });
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("bcrypt") });

    writeHashes(complete, other, { ...broken, passwordHash: hash });
    expect(await commands.run("examples/import-auth0.js")).toMatch(/^\{"imported":1,"failed":0,"skipped":2\}/);
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
