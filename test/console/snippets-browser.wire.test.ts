import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { snippetsFor } from "../../console/screens/apps/snippets/snippet.ts";
import { describeInChromium, isHarmless, launchChromium } from "../support/browsers/chromium.ts";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { freePort } from "../support/free-port.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** A host that only this browser resolves, without TLS. The application is on another site, `localhost`. */
const ORIGIN = "http://id.example.com";
const PASSWORD = "analytical engine no. 1";

describeInChromium("the programs of an application in the browser, in Chromium", () => {
  let service: TestService;
  let browser: Browser;
  let app: string;
  let pages: Server;

  beforeAll(async () => {
    service = await startService("postgres", { PUBLIC_URL: ORIGIN });
    service.secret(PASSWORD);
    browser = await launchChromium({ "id.example.com": service.port });
    const port = await freePort();
    app = `http://localhost:${port}`;
    const redirectUri = `${app}/signed-in`;
    const { clientId } = await call(service, "AddOIDCApp", {
      name: "Page",
      appType: "OIDC_APP_TYPE_USER_AGENT",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      redirectUris: [redirectUri],
      devMode: true,
    });
    const [snippet] = snippetsFor("browser", { issuer: ORIGIN, clientId: String(clientId), redirectUri });
    const program = await bundle(snippet?.files ?? []);
    pages = createServer(({ url }, response) => {
      const isProgram = url === "/sign-in.js";
      response.setHeader("content-type", isProgram ? "text/javascript" : "text/html");
      response.end(
        isProgram ? program : '<!doctype html><title>Page</title><script type="module" src="/sign-in.js"></script>',
      );
    }).listen(port, "localhost");
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
    pages?.closeAllConnections();
    await service?.close();
  });

  test("oidc-client-ts signs a user in, without CORS_ORIGINS", async () => {
    const userId = await importAda(service, { ...VERIFIED, userName: "ada", password: PASSWORD });
    const page = await browser.newPage();
    const printed: string[] = [];
    page.on("console", (message) => void (isHarmless(message.text(), [404]) || printed.push(message.text())));
    page.on("pageerror", (error) => printed.push(error.message));
    await page.goto(app);
    await page.fill("#username", "ada");
    await page.fill("#password", PASSWORD);
    const shown = page.waitForEvent("console", (message) => message.text() === userId);
    await page.keyboard.press("Enter");
    await shown;
    expect(page.url()).toMatch(`${app}/signed-in?`);
    expect(printed).toEqual([userId]);
    await page.close();
  });
});

/** As the build of an application does. */
async function bundle(files: readonly { readonly name: string; readonly text: string }[]): Promise<string> {
  const contents = files.find(({ name }) => name === "sign-in.js")?.text ?? "";
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve(".") },
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
