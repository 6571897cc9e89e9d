import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { describeInChromium, launchChromium } from "../support/browsers/chromium.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** Folder for screenshots; none are taken without it. */
const PICTURES = process.env.PICTURES;

let folder: string;
let files: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signet-browser-"));
  execFileSync(process.execPath, ["scripts/client/pack-client.ts", folder]);
  const packed = join(folder, "signet-client-0.1.0.tgz");
  files = execFileSync("tar", ["-tzf", packed], { encoding: "utf8" }).split("\n");
  // The commands of docs/clients.md.
  execFileSync("tar", ["-xzf", packed, "--strip-components=2", "-C", folder, "package/dist/browser.js"]);
  cpSync("examples/browser/index.html", join(folder, "index.html"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the package contains the contract without the rules of the server, and one module for pages", () => {
  for (const file of [
    "LICENSE",
    "README.md",
    "dist/node.js",
    "dist/web.d.ts",
    "dist/v1.js",
    "gen/signet/v1/user_pb.d.ts",
  ]) {
    expect(files).toContain(`package/${file}`);
  }
  expect(files.filter((file) => /buf\/|google\/api|\.ts$/.test(file) && !file.endsWith(".d.ts"))).toEqual([]);
  expect(files.filter((file) => /\/(src|node_modules)\//.test(file))).toEqual([]);
  const bundle = readFileSync(join(folder, "browser.js"), "utf8");
  expect(bundle).not.toMatch(/^import\b|buf\/validate|protovalidate/m);
  expect(bundle.length).toBeLessThan(350_000);
});

describeInChromium("the example page, in Chromium, from another origin", () => {
  let pages: Server;
  let origin: string;
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    pages = createServer(({ url = "" }, response) => {
      const isScript = url === "/browser.js";
      const type = isScript ? "text/javascript" : "text/html; charset=utf-8";
      response.setHeader("content-type", type).end(readFileSync(join(folder, isScript ? "browser.js" : "index.html")));
    }).listen(0, "localhost");
    await once(pages, "listening");
    origin = `http://localhost:${(pages.address() as AddressInfo).port}`;
    service = await startService("postgres", { CORS_ORIGINS: origin });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    pages?.close();
    pages?.closeAllConnections();
  });

  async function fill(page: Page, fields: Record<string, string>): Promise<string> {
    for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
    await page.click("button");
    await page.waitForFunction("/^(Imported|Failed)/.test(document.querySelector('output').value)");
    return page.$eval("output", (output) => output.textContent ?? "");
  }

  const ada = { userName: "ada", firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" };

  test("imports a user over gRPC-Web with a pasted token, and shows what is wrong with a request", async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 720 } });
    const problems: string[] = [];
    const types: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => problems.push(message.text()));
    page.on("request", (request) => request.method() === "POST" && types.push(request.headers()["content-type"] ?? ""));
    await page.goto(origin);
    const token = { baseUrl: service.origin, token: service.adminToken };
    expect(await fill(page, { ...token, ...ada })).toMatch(/^Imported: [0-9a-f-]{36}$/);
    if (PICTURES !== undefined) {
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, "browser-example-320.png") });
    }
    expect(await fill(page, { ...token, ...ada })).toBe("Failed: USER_NAME_TAKEN");
    expect(await fill(page, { ...token, ...ada, userName: "grace", firstName: "\u2060" })).toMatch(
      /^Failed: INVALID_ARGUMENT\s*profile\.firstName: /,
    );
    expect(types).toEqual(Array(3).fill("application/grpc-web+proto"));
    expect(problems).toEqual([]);
    const rows = await service.db.selectFrom("users").select("user_name").where("user_name", "=", "ada").execute();
    expect(rows).toHaveLength(1);
    await page.close();
  });

  test("a page of an origin that is not in CORS_ORIGINS cannot call", async () => {
    const page = await browser.newPage();
    await page.goto("data:text/html,<p>other</p>");
    const outcome = await page.evaluate<string>(
      `fetch("${service.origin}/signet.v1.ManagementService/GetMyOrg", { method: "POST" }).then(() => "called", (error) => error.name)`,
    );
    expect(outcome).toBe("TypeError");
    await page.close();
  });
});
