import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { extname, join, normalize } from "node:path";
import type { Browser } from "playwright-core";
import { describeInChromium, launchChromium } from "../support/browsers/chromium.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** A page of another origin that calls the service with the browser client, without a bundler. */
const PAGE = `<!doctype html>
<title>Import</title>
<script type="importmap">${JSON.stringify({ imports: importMap() })}</script>
<input id="service"><input id="token"><input id="name"><button>Import</button>
<output></output>
<script type="module">
  import { Code, ConnectError, createClient } from "@connectrpc/connect";
  import { createGrpcWebTransport } from "@connectrpc/connect-web";
  import { ErrorInfoSchema } from "/gen/google/rpc/error_details_pb.js";
  import { ManagementService } from "/gen/signet/v1/management_pb.js";

  const value = (id) => document.getElementById(id).value;
  document.querySelector("button").addEventListener("click", async () => {
    const output = document.querySelector("output");
    const client = createClient(ManagementService, createGrpcWebTransport({ baseUrl: value("service") }));
    const headers = value("token") ? { authorization: "Bearer " + value("token") } : {};
    const user = {
      userName: value("name"),
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: "ada@example.com", isEmailVerified: true },
    };
    try {
      let requestId = "";
      const onHeader = (header) => { requestId = header.get("x-request-id"); };
      const { userId } = await client.importHumanUser(user, { headers, onHeader });
      output.textContent = ["imported", userId, requestId].join(" ");
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      const [info] = ConnectError.from(error).findDetails(ErrorInfoSchema);
      output.textContent = ["failed", Code[code], info ? info.reason : rawMessage].join(" ");
    }
  });
  document.title = "ready";
</script>
`;

/** Package exports, for imports by name. */
function importMap(): Record<string, string> {
  const packages = ["@bufbuild/protobuf", "@bufbuild/protovalidate", "@connectrpc/connect", "@connectrpc/connect-web"];
  const entries = packages.flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(join("node_modules", name, "package.json"), "utf8"));
    return Object.entries<{ import: string }>(exports).map(([path, { import: file }]) => [
      `${name}${path.slice(1)}`,
      `/${join("node_modules", name, file)}`,
    ]);
  });
  return Object.fromEntries(entries);
}

/** Serves the page and the modules that it imports. */
async function servePage(): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "", "http://localhost").pathname);
    const isModule = /^\/(node_modules|gen)\//.test(path) && extname(path) === ".js" && existsSync(`.${path}`);
    if (path !== "/" && !isModule) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", isModule ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isModule ? readFileSync(`.${path}`) : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** A proxy in front of the service that records the first line of each request. */
async function watch(port: number): Promise<{ origin: string; lines: string[]; close: () => void }> {
  const lines: string[] = [];
  const proxy = createTcpServer((incoming) => {
    const outgoing = connect(port, "127.0.0.1");
    incoming.on("data", (chunk) => lines.push(...(chunk.toString("latin1").match(/^[A-Z]+ \/\S* HTTP\/1\.1/gm) ?? [])));
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on("error", () => outgoing.destroy());
    outgoing.on("error", () => incoming.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, lines, close: () => proxy.close() };
}

describeInChromium("a page of another origin, in Chromium", () => {
  let pages: Awaited<ReturnType<typeof servePage>>;
  let watched: Awaited<ReturnType<typeof watch>>;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    pages = await servePage();
    service = await startService("postgres", { CORS_ORIGINS: `http://127.0.0.1:${pages.port}` });
    watched = await watch(service.port);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    watched?.close();
    pages?.server.close();
    await service?.close();
  });

  /** Loads the page in a new profile, and returns its text once the call has ended. */
  async function importInPage(name: string, token: string, host = "127.0.0.1"): Promise<string> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`http://${host}:${pages.port}/`);
    await page.waitForFunction('document.title === "ready"');
    await page.fill("#service", watched.origin);
    await page.fill("#token", token);
    await page.fill("#name", name);
    await page.click("button");
    await page.waitForFunction('document.querySelector("output").textContent !== ""');
    return (await page.textContent("output")) ?? "";
  }

  const findUser = (name: string) =>
    service.db.selectFrom("users").select("id").where("user_name", "=", name).executeTakeFirst();
  const RPC = "/signet.v1.ManagementService/ImportHumanUser HTTP/1.1";

  test("imports a user by gRPC-Web, after a preflight", async () => {
    watched.lines.splice(0);
    const text = await importInPage("ada", service.adminToken);
    const user = await findUser("ada");
    expect(text).toMatch(/^imported \S+ [\w-]{11}-[0-9a-z]+$/);
    expect(text.split(" ")[1]).toBe(user?.id);
    expect(watched.lines).toEqual([`OPTIONS ${RPC}`, `POST ${RPC}`]);
  });

  test("reads the reason of an error from its details", async () => {
    await importInPage("grace", service.adminToken);
    expect(await importInPage("grace", service.adminToken)).toBe("failed AlreadyExists USER_NAME_TAKEN");
  });

  test("reads that the token is missing", async () => {
    expect(await importInPage("joan", "")).toBe("failed Unauthenticated TOKEN_MISSING");
    expect(await findUser("joan")).toBeUndefined();
  });

  test("is blocked by the browser if its origin is not allowed, and nothing is written", async () => {
    watched.lines.splice(0);
    const text = await importInPage("mallory", service.adminToken, "localhost");
    expect(text).toMatch(/^failed Unknown .*fetch/i);
    expect(watched.lines).toEqual([`OPTIONS ${RPC}`]);
    expect(await findUser("mallory")).toBeUndefined();
  });
});
