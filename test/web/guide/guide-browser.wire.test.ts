import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { findViolations } from "../../support/browsers/axe.ts";
import { describeInChromium, hasFailed, launchChromium } from "../../support/browsers/chromium.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

/** Folder for screenshots; none are taken without it. */
const PICTURES = process.env.PICTURES;

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(() => service?.close());

test("the guide has every page, under a policy without inline scripts, and is revalidated by ETag", async () => {
  for (const page of ["", "/start", "/api", "/decisions", "/changelog", "/clients/typescript", "/examples/grpc.js"]) {
    const response = await fetch(`${service.origin}/docs/guide${page}`);
    expect([page, response.status, response.headers.get("content-type")]).toEqual([
      page,
      200,
      "text/html; charset=utf-8",
    ]);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    const headers = { "if-none-match": response.headers.get("etag") ?? "" };
    expect((await fetch(`${service.origin}/docs/guide${page}`, { headers })).status).toBe(304);
  }
});

test("an unknown path returns a page with 404, and other methods are rejected", async () => {
  for (const path of ["/nothing", "/api/nothing", "/../secret", "/%2e%2e/README.md", "/../../package.json"]) {
    const response = await fetch(`${service.origin}/docs/guide${path}`);
    expect([path, response.status]).toEqual([path, 404]);
  }
  expect(await (await fetch(`${service.origin}/docs/guide/nothing`)).text()).toContain("<h1>No such page</h1>");
  const posted = await fetch(`${service.origin}/docs/guide`, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

describeInChromium("the guide, in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** Opens a page; violations of the Content-Security-Policy and failed requests are in `problems`. */
  async function open(path: string, width: number, colorScheme: "light" | "dark") {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    const elsewhere: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("requestfailed", (request) => {
      if (hasFailed(request)) problems.push(request.url());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(service.origin) && !request.url().startsWith("data:"))
        elsewhere.push(request.url());
    });
    await page.goto(`${service.origin}${path}`);
    return { page, problems, elsewhere, close: () => context.close() };
  }

  async function picture(page: Page, name: string) {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  test.each([
    ["", 320, "light"],
    ["", 1_280, "dark"],
    ["/api", 320, "dark"],
    ["/api", 1_280, "light"],
    ["/decisions", 320, "light"],
    ["/configuration", 1_280, "dark"],
    ["/performance", 320, "dark"],
    ["/clients", 1_280, "light"],
    ["/pages", 320, "light"],
    ["/sign-in", 1_280, "light"],
    ["/guides/protect-an-api", 320, "dark"],
  ] as const)("page %j fits %i pixels in %s, and loads nothing from elsewhere", async (path, width, scheme) => {
    const { page, problems, elsewhere, close } = await open(`/docs/guide${path}`, width, scheme);
    await picture(page, `guide${path.replace("/", "-")}-${width}-${scheme}`);
    const overflow = await page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(overflow).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    // Images are loaded when they come into view.
    await page.evaluate("for (const image of document.images) image.loading = 'eager'");
    await page.evaluate("Promise.all([...document.images].map((image) => image.decode()))");
    expect(elsewhere).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  test.each([
    [320, "dark"],
    [1_280, "light"],
  ] as const)("a user finds a section by searching, at %i pixels in %s", async (width, scheme) => {
    const { page, problems, elsewhere, close } = await open("/docs/guide", width, scheme);
    await page.keyboard.press("/");
    await page.keyboard.type("idempotency keys");
    await page.waitForSelector("#results a");
    await picture(page, `guide-search-${width}-${scheme}`);
    expect(await page.textContent("#results li:first-child strong")).toBe("API: Idempotency keys");
    expect(await page.textContent("#found")).toMatch(/^\d+ results$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.origin}/docs/guide/api#idempotency-keys`);
    expect(elsewhere).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  test.each([
    ["from Auth0", "From Auth0"],
    ["Google", "Google"],
    ["sign in with Google", "Google"],
    ["Express API", "Protect an API"],
  ])("searching for %j first finds %j", async (words, expected) => {
    const { page, close } = await open("/docs/guide", 1_280, "light");
    await page.fill("#search", words);
    await page.waitForSelector("#results a");
    expect(await page.textContent("#results li:first-child strong")).toBe(expected);
    await close();
  });

  test("a button copies the commands of a block", async () => {
    const { page, close } = await open("/docs/guide/guides/compose", 1_280, "light");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click(".code:has-text('create-secrets.sh') .copy");
    await page.waitForSelector(".copy:text('Copied')");
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(await page.textContent(".code:has-text('create-secrets.sh') code"));
    expect(copied).toMatch(/^sh deploy\/create-secrets\.sh\ndocker compose /);
    await close();
  });

  test("the navigation leads to every page, and back from a page that does not exist", async () => {
    const { page, close } = await open("/docs/guide/nothing", 1_280, "light");
    const links = await page.$$eval("nav a", (found) => found.map((link) => link.getAttribute("href") ?? ""));
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) expect([link, (await fetch(`${service.origin}${link}`)).status]).toEqual([link, 200]);
    await page.click("nav a >> nth=0");
    await page.waitForURL(`${service.origin}/docs/guide`);
    expect(await page.getAttribute("nav a >> nth=0", "aria-current")).toBe("page");
    await close();
  });
});
