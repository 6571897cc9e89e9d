import type { Browser } from "playwright-core";
import { findViolations } from "../../support/browsers/axe.ts";
import { addAuthenticator, describeInChromium, launchChromium } from "../../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../../support/browsers/pictures.ts";
import { call, importAda, VERIFIED } from "../../support/browsers/visitor.ts";
import { type LocalhostProxy, startLocalhostProxy } from "../../support/servers/localhost-proxy.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";

describeInChromium("a required second factor, in Chromium", () => {
  let proxy: LocalhostProxy;
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    proxy = await startLocalhostProxy();
    service = await startService("postgres", { PUBLIC_URL: proxy.origin });
    service.secret(PASSWORD);
    proxy.target.port = service.port;
    browser = await launchChromium();
    await call(service, "UpdateLoginPolicy", {
      allowUsernamePassword: true,
      passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
      forceMfa: true,
    });
  });
  afterAll(async () => {
    await browser?.close();
    proxy?.server.close();
    await service?.close();
  });

  test("is set up with a passkey right after the password, and used once", async () => {
    await importAda(service, { userName: "ada", password: PASSWORD, ...VERIFIED });
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    await addAuthenticator(page);
    await page.goto(`${proxy.origin}/ui/account`);
    await page.fill("[name=username]", "ada");
    await page.fill("[name=password]", PASSWORD);
    await page.press("[name=password]", "Enter");
    await page.getByRole("heading", { name: "Protect your account" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const confirm = page.getByRole("heading", { name: "Confirm with your passkey" });
    await confirm.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(/\/ui\/account/);
    await context.close();
  });

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      await importAda(service, { userName: form, password: PASSWORD, ...VERIFIED });
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await addAuthenticator(page);
      await page.goto(`${proxy.origin}/ui/account`);
      await page.fill("[name=username]", form);
      await page.fill("[name=password]", PASSWORD);
      await page.press("[name=password]", "Enter");
      await page.getByRole("heading", { name: "Protect your account" }).waitFor();
      await takePicture(page, "second-factor", form);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("heading", { name: "Confirm with your passkey" }).waitFor();
      await takePicture(page, "second-factor-passkey", form);
      await context.close();
    });
});
