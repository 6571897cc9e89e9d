import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { describeInChromium, launchChromium } from "../../support/browsers/chromium.ts";
import {
  call,
  changePhone,
  createVisitor,
  importAda,
  lastReceived,
  VERIFIED,
  VISITED,
} from "../../support/browsers/visitor.ts";
import { testPages } from "../../support/browsers/visits.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const ORIGIN = "http://id.example.com";
const OTHER_SITE = "http://evil.example.net";
const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";

describeInChromium("the results of links, and the pages for problems, in Chromium", () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService("postgres", { ...VISITED, PUBLIC_URL: ORIGIN });
    for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
    browser = await launchChromium({ "id.example.com": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Paths of links that were used or cannot be used, and the titles of their pages. */
  async function pathsOfLinks(): Promise<Record<string, readonly [path: string, title: string]>> {
    const visitor = createVisitor(service);
    const post = (path: string, fields: Record<string, string>) => visitor.post(path, fields);

    const confirming = await importAda(service, { password: PASSWORD });
    const init = await lastReceived(service, confirming, "initialization");
    await post("/ui/init", { code: init.code });

    const waiting = await lastReceived(service, await importAda(service), "initialization");

    const calling = await importAda(service, { ...VERIFIED, password: PASSWORD });
    await changePhone(service, calling);
    const phone = await lastReceived(service, calling, "phone");
    await post("/ui/phone", { code: phone.code, digits: phone.digits });

    const moved = await importAda(service, VERIFIED);
    await changePhone(service, moved);
    const former = await lastReceived(service, moved, "phone");
    await changePhone(service, moved, "+41791234599");

    const guessing = await importAda(service, VERIFIED);
    await changePhone(service, guessing);
    const guessed = await lastReceived(service, guessing, "phone");
    await service.db.updateTable("codes").set({ attempts: 10 }).where("id", "=", guessed.id).execute();

    const forgetful = await importAda(service, { ...VERIFIED, password: PASSWORD });
    await call(service, "SendHumanResetPasswordNotification", { userId: forgetful });
    const choosing = await lastReceived(service, forgetful, "password");

    const reset = await importAda(service, { ...VERIFIED, password: PASSWORD });
    await call(service, "SendHumanResetPasswordNotification", { userId: reset });
    const password = await lastReceived(service, reset, "password");
    await post("/ui/password", { code: password.code, password: NEW_PASSWORD, repeat: NEW_PASSWORD });

    const locked = await importAda(service);
    const blocked = await lastReceived(service, locked, "initialization");
    await call(service, "DeactivateUser", { id: locked });

    return {
      "init-confirmed": [`${init.path}&done=confirmed`, "All done"],
      "init-finished": [init.path, "Nothing left to do"],
      "init-wait": [`${waiting.path}&sent=day`, "Error: Please wait a moment"],
      "phone-done": [`${phone.path}&done=confirmed`, "All done"],
      "phone-former": [former.path, "Error: This link is no longer valid"],
      "phone-too-many": [guessed.path, "Error: Too many incorrect codes"],
      "password-link-error": [`${choosing.path}&error=too-short`, "Error: Choose a new password"],
      "password-link-done": [`${password.path}&done=set`, "All done"],
      "password-link-used": [password.path, "Error: This link has already been used"],
      "problem-blocked-user": [blocked.path, "Error: This account is not available at the moment"],
      "problem-not-found": ["/ui/nothing", "Error: Page not found"],
      "problem-malformed": ["/ui/init?code=%FF", "Error: This request is not valid"],
    };
  }

  /** Posts a form from the open page, and waits for the page with the heading that answers it. */
  async function post(page: Page, path: string, heading: string, enctype = ""): Promise<void> {
    await page.evaluate(`{
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: "${ORIGIN}${path}", enctype: "${enctype}" });
      document.body.append(form);
      form.submit();
    }`);
    await page.waitForSelector(`h1:has-text("${heading}")`);
  }

  /** Another site, which sends its form here. */
  async function openOtherSite(page: Page): Promise<void> {
    await page.route(`${OTHER_SITE}/`, (route) => route.fulfill({ contentType: "text/html", body: "<p>Other site" }));
    await page.goto(`${OTHER_SITE}/`);
  }

  /** Sets a password with the link of an invitation, in a browser in which another user is signed in. */
  async function setUpAsOther(page: Page): Promise<void> {
    const userName = `other-${++others}`;
    await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
    await page.goto(`${ORIGIN}/ui/account`);
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:has-text('Your account')");
    const { path } = await lastReceived(service, await importAda(service), "initialization");
    await page.goto(ORIGIN + path);
    await page.fill("#password", PASSWORD);
    await page.fill("#repeat", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
  }

  let others = 0;

  testPages(async (options, visit) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    for (const [name, [path, title]] of Object.entries(await pathsOfLinks())) {
      await page.goto(ORIGIN + path);
      await visit(page, name, title);
    }
    // The page of the last problem is open.
    await post(page, "/ui/next", "This action is not supported");
    await visit(page, "problem-wrong-method", "Error: This action is not supported");
    await page.goto(`${ORIGIN}/ui/nothing`);
    await post(page, "/ui/init", "This form could not be read", "text/plain");
    await visit(page, "problem-wrong-type", "Error: This form could not be read");
    await openOtherSite(page);
    await post(page, "/ui/init", "This form came from another site");
    await visit(page, "problem-foreign", "Error: This form came from another site");
    await sql`alter table codes rename to codes_away`.execute(service.db);
    await page
      .goto(`${ORIGIN}/ui/init?code=x`)
      .finally(() => sql`alter table codes_away rename to codes`.execute(service.db));
    await visit(page, "problem-failed", "Error: Something went wrong");
    await setUpAsOther(page);
    await visit(page, "init-other-user", "All done");
    await context.close();

    const noisy = "192.0.2.1";
    for (let failure = 1; failure <= 30; failure++) await createVisitor(service, noisy).open("/ui/init?code=x");
    const blocked = await browser.newContext({ ...options, extraHTTPHeaders: { "x-forwarded-for": noisy } });
    const last = await blocked.newPage();
    await last.goto(`${ORIGIN}/ui/init?code=x`);
    await visit(last, "problem-too-many", "Error: Too many attempts");
    await blocked.close();
  });
});
