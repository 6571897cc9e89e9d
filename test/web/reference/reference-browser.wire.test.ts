import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { findViolations } from "../../support/browsers/axe.ts";
import { describeInChromium, hasFailed, launchChromium } from "../../support/browsers/chromium.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

/** Folder for screenshots; none are taken without it. */
const PICTURES = process.env.PICTURES;

describeInChromium("the reference, in Chromium", () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService("postgres");
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens a page; violations of the Content-Security-Policy and failed requests are in `problems`. */
  async function open(path: string, width: number, colorScheme: "light" | "dark") {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("requestfailed", (request) => {
      if (hasFailed(request)) problems.push(request.url());
    });
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${service.origin}${path}`);
    return { page, problems, requests, close: () => context.close() };
  }

  /** Shows or hides the operations of a service. */
  const toggleService = (page: Page, name: string) =>
    page.click(`#operations-tag-${name}Service button.expand-operation`);

  const overflow = (page: Page) =>
    page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  async function picture(page: Page, name: string) {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  const SIZES = [
    [320, "light"],
    [1_280, "dark"],
  ] as const;

  test.each(SIZES)("the home page fits %i pixels in %s, and links to what runs here", async (width, scheme) => {
    const { page, problems, close } = await open("/", width, scheme);
    expect(await overflow(page)).toBe(0);
    await picture(page, `home-${width}-${scheme}`);
    const links = await page.$$eval("a", (found) => found.map((link) => link.getAttribute("href")));
    expect(links).toEqual(["/console", "/docs/guide", "/docs", "/openapi.json", "/healthz", "/readyz"]);
    expect(await findViolations(page)).toEqual([]);
    for (const link of links) expect((await fetch(`${service.origin}${link}`)).status).toBe(200);
    expect(problems).toEqual([]);
    await close();
  });

  test.each(SIZES)("the reference fits %i pixels in %s, and loads nothing from elsewhere", async (width, scheme) => {
    const { page, problems, requests, close } = await open("/docs", width, scheme);
    await toggleService(page, "Management");
    const operation = "#operations-ManagementService-ManagementService_UpdateHumanPhone";
    await page.click(`${operation} button.opblock-summary-control`);
    await page.waitForSelector(`${operation} .responses-table`);
    await picture(page, `docs-${width}-${scheme}`);
    expect(await page.textContent(operation)).toContain("/management/v1/users/{userId}/phone");
    expect(await overflow(page)).toBe(0);
    expect(requests.filter((url) => !url.startsWith(service.origin) && !url.startsWith("data:"))).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  test.each(SIZES)(
    "the reference is accessible at %i pixels in %s, with open operations and dialogs",
    async (width, scheme) => {
      const { page, close } = await open("/docs", width, scheme);
      await toggleService(page, "Management");
      // One operation of each method, and a deprecated one.
      for (const [service, name] of [
        ["Management", "GetUserByID"],
        ["Management", "ImportHumanUser"],
        ["Management", "UpdateHumanPhone"],
        ["Management", "RemoveUser"],
        ["Admin", "AddOIDCIDP"],
      ] as const) {
        // With the operations of both, Swagger UI would render only those in view.
        if (service === "Admin") {
          expect(await findViolations(page)).toEqual([]);
          await toggleService(page, "Management");
          await toggleService(page, "Admin");
        }
        const operation = `#operations-${service}Service-${service}Service_${name}`;
        await page.click(`${operation} button.opblock-summary-control`);
        await page.waitForSelector(`${operation} .responses-table`);
      }
      await page.click("button.try-out__btn >> nth=0");
      await page.click("button.models-control");
      expect(await findViolations(page)).toEqual([]);
      await page.click("button.authorize");
      await page.waitForSelector("#auth-bearer-value");
      await picture(page, `docs-dialog-${width}-${scheme}`);
      expect(await findViolations(page)).toEqual([]);
      await close();
    },
  );

  test("the address of the page changes with the open operation, and opens it again", async () => {
    const { page, close } = await open("/docs", 1_280, "light");
    const operation = "#operations-ManagementService-ManagementService_GetUserByID";
    await toggleService(page, "Management");
    await page.click(`${operation} button.opblock-summary-control`);
    await page.waitForURL(/#\/ManagementService\/ManagementService_GetUserByID$/);
    await page.reload();
    await page.waitForSelector(`${operation} .responses-table`);
    await close();
  });

  test("a user calls an operation from the reference", async () => {
    const { page, problems, close } = await open("/docs", 1_280, "light");
    await page.click("button.authorize");
    await page.fill("#auth-bearer-value", service.adminToken);
    await page.click(".modal-ux button.authorize");
    await page.click(".modal-ux button.btn-done");
    const operation = "#operations-ManagementService-ManagementService_ImportHumanUser";
    await toggleService(page, "Management");
    await page.click(`${operation} button.opblock-summary-control`);
    await page.click(`${operation} button.try-out__btn`);
    await page.click(`${operation} button.execute`);
    await page.waitForSelector(`${operation} .live-responses-table .response-col_status`);
    expect(await page.textContent(`${operation} .live-responses-table`)).toContain('"userId"');
    const rows = await service.db.selectFrom("users").select("id").where("user_name", "=", "ada").execute();
    expect(rows).toHaveLength(1);
    // The token must be in no storage that outlives the page.
    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")).not.toContain(
      "signet_pat_",
    );
    expect(problems).toEqual([]);
    await close();
  });
});
