import type { Browser, Page } from "playwright-core";
import { grantRole } from "../../../src/access/grant-role.ts";
import { addAuthenticator, describeInChromium, launchChromium } from "../../support/browsers/chromium.ts";
import { call, importAda, lastReceived, VERIFIED } from "../../support/browsers/visitor.ts";
import { testPages } from "../../support/browsers/visits.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { ACCOUNT, PASSWORD } from "./account-scene.ts";

/** A secure context, for passkeys. */
const ORIGIN = "http://id.localhost";

describeInChromium("the rare pages of an account, in Chromium", () => {
  let service: TestService;
  let browser: Browser;
  let idpId: string;
  beforeAll(async () => {
    service = await startService("postgres", { PUBLIC_URL: ORIGIN, ACCOUNT_DELETION: "true" });
    service.secret(PASSWORD);
    const idp = { name: "Example Workforce", issuer: "https://idp.example.com", clientId: "signet", clientSecret: "x" };
    idpId = String((await call(service, "AddOIDCIDP", idp)).idpId);
    browser = await launchChromium({ "id.localhost": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  let users = 0;

  /** A linked user who has signed in to the account page. */
  async function signIn(page: Page) {
    const userName = `visitor-${++users}`;
    const idps = [{ configId: idpId, externalUserId: userName, displayName: "ada@example.com" }];
    const userId = await importAda(service, { userName, ...VERIFIED, password: PASSWORD, idps });
    await page.goto(ORIGIN + ACCOUNT);
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:has-text('Your account')");
    return { userId, userName };
  }

  testPages(async (options, visit) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    // The device waits for its user, and the page for the device.
    await addAuthenticator(page, { automaticPresenceSimulation: false });
    const { userId, userName } = await signIn(page);
    await page.click("a[href*='/links/remove']");
    await page.waitForSelector("button.danger");
    await visit(page, "account-unlink", "Remove the linked account?");

    await page.goto(`${ORIGIN}${ACCOUNT}/one-time-code`);
    await page.fill("#code", "000000");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert]");
    await visit(page, "one-time-code-set-up-error", "Error: Set up one-time codes");

    await page.goto(`${ORIGIN}${ACCOUNT}/email`);
    await page.fill("#email", `${userName}@example.org`);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=status]");
    const { path } = await lastReceived(service, userId, "email-change");
    await page.goto(ORIGIN + path);
    await page.click("form button");
    await page.waitForSelector("h1.done");
    await page.goto(ORIGIN + path);
    await visit(page, "account-new-email-used", "Error: Link already used");

    await page.goto(ORIGIN + ACCOUNT);
    await page.click("form[action='/ui/account/passkeys'] button");
    await page.waitForSelector("#ceremony [role=status]:not(:empty)");
    await visit(page, "account-passkey-add", "Set up a passkey");

    const user = { id: userId, orgId: service.orgId };
    await grantRole(service, { user, role: "ORG_OWNER", scopeId: service.orgId });
    await page.goto(`${ORIGIN}${ACCOUNT}/delete`);
    await visit(page, "account-delete-role", "Error: Delete your account?");
    await page.goto(`${ORIGIN}${ACCOUNT}/deleted`);
    await visit(page, "account-deleted", "Your account was deleted");
    await context.close();
  });
});
