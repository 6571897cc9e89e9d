import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Browser } from "playwright-core";
import { describeInChromium, launchChromium } from "../support/browsers/chromium.ts";
import { createRelyingParty, createRequest } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** Hosts that only this browser resolves: the service, and an application on another site. */
const ORIGIN = "http://id.example.com";
const APP = "http://notes.example.net";

describeInChromium("response_mode=form_post, in Chromium", () => {
  let service: TestService;
  let appServer: Server;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService("postgres", { PUBLIC_URL: ORIGIN });
    appServer = createServer(async (request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><link rel=icon href=data:><h1>${await text(request)}</h1>`);
    });
    await new Promise<void>((resolve) => appServer.listen(0, "127.0.0.1", resolve));
    const { port } = appServer.address() as AddressInfo;
    browser = await launchChromium({ "id.example.com": service.port, "notes.example.net": port });
  });
  afterAll(async () => {
    await browser?.close();
    appServer?.close();
    await service?.close();
  });

  test("the response reaches the application, but not from a frame", async () => {
    const app = await createRelyingParty(service, { redirect_uris: [`${APP}/callback`] });
    const { url } = createRequest(app, { response_mode: "form_post", prompt: "none" });
    const page = await browser.newPage();
    await page.goto(url.href);
    await page.waitForURL(`${APP}/callback`);
    expect(await page.locator("h1").textContent()).toContain("error=login_required");
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors 'none'"));
    await page.setContent(`<iframe src="${url.href.replaceAll("&", "&amp;")}"></iframe>`);
    await refused;
  });
});
