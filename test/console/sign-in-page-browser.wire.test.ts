import type { BrowserContextOptions, Page } from "playwright-core";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call } from "../support/browsers/visitor.ts";
import { until } from "../support/until.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { ORIGIN, openScene, picture, SAVE, type Scene, save } from "./console-scene.ts";

const FRAME = ".preview iframe";
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><path fill="#0f766e" d="M0 0h80v20H0z"/></svg>';

describeInChromium("the sign-in page in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  /** What a frame shows: the first one, with what is saved, or the second one, with what users see. */
  const framed = (page: Page, index = 0) => page.frameLocator(FRAME).nth(index);
  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

  /** A new organization, which has nothing of its own, as the owner of the instance sees it. */
  async function openNewOrg(options: BrowserContextOptions = {}, tab = "") {
    const orgId = await scene.service.createOrg(`Org ${Math.random()}`);
    const inOrg = { "x-service-orgid": orgId };
    const person = await scene.signIn({
      role: "INSTANCE_OWNER",
      path: `/orgs/${orgId}/sign-in${tab}`,
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    await person.page.waitForSelector(FRAME);
    return { ...person, orgId, inOrg };
  }

  /** The page of the instance. */
  async function openInstance(role: "INSTANCE_OWNER" | "INSTANCE_VIEWER" = "INSTANCE_OWNER", tab = "") {
    const person = await scene.signIn({
      role,
      path: `/instance/sign-in${tab}`,
      viewport: { width: 1280, height: 900 },
    });
    await person.page.waitForSelector(FRAME);
    return person;
  }

  test.each(SCREENS)("the page is accessible and fits: %s, %s", async (...screen) => {
    const path = `/orgs/${scene.service.orgId}/sign-in`;
    expect(await lookAt(scene, screen, "ORG_OWNER", [["sign-in-page", path, FRAME]])).toEqual([]);
    const policy = ["sign-in-policy", `${path}/policy`, FRAME] as const;
    expect(await lookAt(scene, screen, "ORG_OWNER", [policy])).toEqual([]);
    const ofInstance = ["instance-sign-in-page", "/instance/sign-in", FRAME] as const;
    expect(await lookAt(scene, screen, "INSTANCE_OWNER", [ofInstance])).toEqual([]);
  });

  test("the preview is the page with what is saved, and the branding is saved and activated", async () => {
    const { page, problems, elsewhere, inOrg, close } = await openNewOrg();
    await page.waitForSelector("text=The organization has the branding of the instance");
    const colorOf = (index = 0) =>
      framed(page, index)
        .locator("button:not(.link, .secondary, .show, .default)")
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await colorOf()).toBe("rgb(61, 79, 209)");
    await field(page, "Name").fill("Acme");
    await page.getByLabel("Color", { exact: true }).first().fill("#0f766e");
    await field(page, "Terms of service").fill("https://acme.example.com/terms");
    await save(page);
    await framed(page).locator(".brand >> text=Acme").waitFor();
    await framed(page).locator("footer >> text=Terms of service").waitFor();
    expect(await colorOf()).toBe("rgb(15, 118, 110)");
    const active = async () => (await call(scene.service, "GetLabelPolicy", {}, inOrg)).policy;
    expect(await active()).not.toMatchObject({ name: "Acme" });
    await page.waitForSelector("text=users still see the earlier branding");
    // What users see is beside the draft.
    await framed(page, 1).locator(".brand >> text=Org").waitFor();
    expect(await colorOf(1)).toBe("rgb(61, 79, 209)");
    await picture(page, "console-sign-in-page-draft");
    await page.click("text=Publish");
    await page.waitForSelector("text=Pages and emails show this branding");
    await until("one preview is left", async () => (await page.locator(FRAME).count()) === 1);
    expect(await active()).toMatchObject({
      name: "Acme",
      primaryColor: "#0f766e",
      termsUrl: "https://acme.example.com/terms",
    });
    await page.click("text=Use the branding of the instance");
    await page.waitForSelector("text=The organization has the branding of the instance");
    expect([...problems, ...elsewhere]).toEqual([]);
    await close();
  });

  test("the preview is shown in each language, light and dark, on a phone and a computer, and opens in a tab", async () => {
    const { page, problems, close } = await openNewOrg();
    const groundOf = () =>
      framed(page)
        .locator("html")
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    const widthOf = () =>
      framed(page)
        .locator("html")
        .evaluate(() => innerWidth);
    for (const [name, tag] of Object.entries({ Deutsch: "de", Français: "fr", Español: "es", English: "en" })) {
      await page.locator(".preview").getByLabel("Language").selectOption(name);
      await framed(page).locator(`html[lang=${tag}]`).waitFor();
    }
    expect(await groundOf()).toBe("rgb(255, 255, 255)");
    await page.locator(".preview").getByLabel("Colors").selectOption("Dark");
    await framed(page).locator("link[href*='style-dark']").waitFor({ state: "attached" });
    await until("the page is dark", async () => (await groundOf()) === "rgb(22, 24, 30)");
    expect(await widthOf()).toBeLessThan(400);
    await page.locator(".preview").getByLabel("Size").selectOption("Computer");
    await until("the page is wide", async () => (await widthOf()) > 800);
    await picture(page, "console-sign-in-page-computer");
    const [opened] = await Promise.all([page.context().waitForEvent("page"), page.click("text=Open in a new tab")]);
    await opened.waitForSelector("html[lang=en] .brand");
    expect(problems).toEqual([]);
    await close();
  });

  test("a color that cannot be read is reported while it is typed, with the nearest one that can", async () => {
    const { page, close } = await openNewOrg();
    const color = page.getByLabel("Color", { exact: true }).first();
    await color.fill("#ffff00");
    await page.waitForSelector(".color .error >> text=Links in this color could not be read on light pages");
    await page.click(SAVE);
    await page.waitForSelector(".color .error");
    await page.click("text=the nearest that can");
    expect(await color.inputValue()).toBe("#757500");
    await save(page);
    await close();
  });

  test("a logo is uploaded, shown and removed", async () => {
    const { page, problems, elsewhere, inOrg, close } = await openNewOrg();
    await page.waitForSelector("text=Save a setting of the branding first");
    await field(page, "Name").fill("Acme");
    await save(page);
    const file = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(LOGO) };
    await page.locator("[aria-label='Upload Logo']").setInputFiles(file);
    const image = framed(page).locator(".brand img");
    await image.waitFor();
    // The policies allow it, and the browser could read it.
    await until("the logo is loaded", () => image.evaluate((element: HTMLImageElement) => element.naturalWidth > 0));
    const preview = async () => (await call(scene.service, "GetPreviewLabelPolicy", {}, inOrg)).policy;
    expect(await preview()).toMatchObject({ logoUrl: expect.stringContaining("/") });
    await page.locator("[aria-label='Upload Logo']").setInputFiles({ ...file, buffer: Buffer.from("no image") });
    await page.waitForSelector(".rows [role=alert]");
    await page.click("[aria-label='Remove: Logo']");
    await image.waitFor({ state: "detached" });
    expect((await preview()) as object).not.toHaveProperty("logoUrl");
    // What is no image is rejected, which is no problem of the page.
    expect([...problems, ...elsewhere]).toEqual([]);
    await close();
  });

  test("the ways to sign in are saved, other settings are kept, and the preview shows them", async () => {
    const { page, inOrg, close } = await openNewOrg({}, "/policy");
    const { policy } = await call(scene.service, "GetLoginPolicy", {}, inOrg);
    const before = policy as Record<string, unknown>;
    await call(
      scene.service,
      "AddCustomLoginPolicy",
      { allowUsernamePassword: true, allowExternalIdp: true, passwordCheckLifetime: "3600s" },
      inOrg,
    );
    await page.reload();
    await page.waitForSelector(FRAME);
    await framed(page).locator("[name=password]").waitFor();
    await page.getByLabel("Password", { exact: true }).uncheck();
    await page.getByLabel("Passkey", { exact: true }).check();
    await save(page);
    await framed(page).locator("[name=password]").waitFor({ state: "detached" });
    await framed(page).locator("text=Sign in with a passkey").waitFor();
    expect((await call(scene.service, "GetLoginPolicy", {}, inOrg)).policy).toMatchObject({
      passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
      passwordCheckLifetime: "3600s",
    });
    await page.click("text=Use the policy of the instance");
    await page.waitForSelector("text=The organization has the policy of the instance");
    const after = (await call(scene.service, "GetLoginPolicy", {}, inOrg)).policy as Record<string, unknown>;
    expect(after.isDefault).toBe(before.isDefault);
    await close();
  });

  test("lifetimes and the time of the second factor are shown, saved, and reported at their fields", async () => {
    const { page, inOrg, close } = await openNewOrg({ timezoneId: "Europe/Zurich" }, "/policy");
    const policyOf = async () => (await call(scene.service, "GetLoginPolicy", {}, inOrg)).policy;
    const unit = (label: string) => field(page, `${label}: unit`);
    await field(page, "With a password").fill("12");
    await field(page, "With a passkey").fill("30");
    await unit("With a passkey").selectOption("days");
    await field(page, "Ask again for a passkey after").fill("0");
    await field(page, "The domain of the address chooses the organization").check();
    await field(page, "Open a provider at once if it is the only way to sign in").uncheck();
    await field(page, "Require a second factor").check();
    await field(page, "Required from").fill("2027-01-15T10:30");
    await save(page);
    expect(await policyOf()).toMatchObject({
      passwordCheckLifetime: "43200s",
      multiFactorCheckLifetime: "2592000s",
      mfaInitSkipLifetime: "0s",
      allowDomainDiscovery: true,
      redirectToOnlyIdp: false,
      forceMfa: true,
      forceMfaFrom: "2027-01-15T09:30:00Z",
    });
    await page.reload();
    await page.waitForSelector(FRAME);
    expect(await field(page, "With a passkey").inputValue()).toBe("30");
    expect(await unit("With a passkey").inputValue()).toBe("days");
    expect(await field(page, "With a provider").inputValue()).toBe("");
    expect(await field(page, "Required from").inputValue()).toBe("2027-01-15T10:30");
    await field(page, "With a password").fill("1");
    await unit("With a password").selectOption("minutes");
    await page.click(SAVE);
    await page.waitForSelector(".field:has-text('With a password') .error >> text=must be from 5 minutes to 30 days");
    await field(page, "With a password").fill("");
    await field(page, "Required from").fill("");
    await save(page);
    const saved = await policyOf();
    expect(saved).toMatchObject({ multiFactorCheckLifetime: "2592000s", forceMfa: true });
    expect(saved).not.toHaveProperty("passwordCheckLifetime");
    expect(saved).not.toHaveProperty("forceMfaFrom");
    await close();
  });

  test("the branding of the instance is saved, activated and reset, and organizations without their own have it", async () => {
    const { page, problems, elsewhere, close } = await openInstance();
    const inOrg = { "x-service-orgid": await scene.service.createOrg(`Org ${Math.random()}`) };
    const ofOrg = async () => (await call(scene.service, "GetLabelPolicy", {}, inOrg)).policy;
    await page.waitForSelector("text=The instance has the branding of Signet");
    // Without a saved branding.
    const file = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(LOGO) };
    await page.locator("[aria-label='Upload Logo']").setInputFiles(file);
    await framed(page).locator(".brand img").waitFor();
    await page.click("[aria-label='Remove: Logo']");
    await framed(page).locator(".brand img").waitFor({ state: "detached" });
    await field(page, "Name").fill("Holding");
    await save(page);
    await framed(page).locator(".brand >> text=Holding").waitFor();
    expect(await ofOrg()).not.toMatchObject({ name: "Holding" });
    await page.click("text=Publish");
    await page.waitForSelector("text=Pages and emails show this branding");
    expect(await ofOrg()).toMatchObject({ name: "Holding", isDefault: true });
    await page.click("text=Use the branding of Signet");
    await page.waitForSelector("text=The instance has the branding of Signet");
    expect(await ofOrg()).not.toMatchObject({ name: "Holding" });
    expect([...problems, ...elsewhere]).toEqual([]);
    await close();
  });

  test("the login policy of the instance is saved, and organizations without their own have it", async () => {
    const { page, close } = await openInstance("INSTANCE_OWNER", "/policy");
    const inOrg = { "x-service-orgid": await scene.service.createOrg(`Org ${Math.random()}`) };
    await page.waitForSelector("text=in all organizations without a policy of their own");
    expect(await page.locator("text=Use the policy of the instance").count()).toBe(0);
    await field(page, "With a password").fill("8");
    expect(await field(page, "Accept the email address as a user name").isChecked()).toBe(true);
    await field(page, 'Offer "Forgotten?", for a new password').uncheck();
    await save(page);
    await framed(page).locator("text=Forgotten?").waitFor({ state: "detached" });
    expect(await call(scene.service, "GetLoginPolicy", {}, inOrg)).toMatchObject({
      isDefault: true,
      policy: { passwordCheckLifetime: "28800s", hidePasswordReset: true, allowUsernamePassword: true },
    });
    await field(page, "Destination").fill("mine");
    await call(scene.service, "UpdateLoginPolicy", { allowUsernamePassword: true });
    await page.click(SAVE);
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this");
    await close();
  });

  test("each setting of an organization says what the instance has, which a button takes over", async () => {
    const { page, orgId, inOrg, close } = await openNewOrg({}, "/policy");
    const owner = await scene.signIn({ role: "ORG_OWNER", path: `/orgs/${scene.service.orgId}/sign-in/policy` });
    await owner.page.waitForSelector("text=Allow registration");
    // Nothing differs from what is inherited.
    expect(await page.locator(".of-instance").count()).toBe(0);
    const own = { allowUsernamePassword: true, allowRegister: true, passwordCheckLifetime: "3600s" };
    await call(scene.service, "AddCustomLoginPolicy", own, inOrg);
    await call(scene.service, "AddCustomLoginPolicy", own);
    for (const { reload, locator } of [page, owner.page].map((each) => ({
      reload: () => each.reload(),
      locator: (selector: string) => each.locator(selector),
    }))) {
      await reload();
      await locator("text=Instance: Off.").first().waitFor();
      expect(await locator(".of-instance:text-is('As in the instance')").count()).toBeGreaterThan(5);
    }
    await picture(page, "console-sign-in-policy-own");
    await page.click('[aria-label="Allow registration: Use the instance\'s"]');
    expect(await field(page, "Allow registration").isChecked()).toBe(false);
    await page.click('[aria-label="With a password: Use the instance\'s"]');
    await save(page);
    const { policy } = await call(scene.service, "GetLoginPolicy", {}, inOrg);
    expect(policy).not.toMatchObject({ allowRegister: true });
    expect(policy).not.toHaveProperty("passwordCheckLifetime");
    await call(scene.service, "AddCustomLabelPolicy", { name: "Acorn" }, inOrg);
    await call(scene.service, "ActivateCustomLabelPolicy", {}, inOrg);
    await page.goto(`${ORIGIN}/console/orgs/${orgId}/sign-in`);
    await page.click('[aria-label="Name: Use the instance\'s"]');
    expect(await field(page, "Name").inputValue()).toBe("");
    await call(scene.service, "ResetLoginPolicyToDefault", {});
    await owner.close();
    await close();
  });

  test("a viewer of the instance sees its settings, and can change nothing; an organization gets no link", async () => {
    const viewer = await openInstance("INSTANCE_VIEWER");
    const changes =
      "main button, main input:not([readonly]):not([disabled]), .beside > :first-child select:not([disabled])";
    expect(await viewer.page.locator(changes).count()).toBe(0);
    await viewer.close();
    const owner = await scene.signIn({ role: "ORG_OWNER", path: `/orgs/${scene.service.orgId}/sign-in` });
    await owner.page.waitForSelector(FRAME);
    expect(await owner.page.locator("a[href='/console/instance/sign-in']").count()).toBe(0);
    await owner.close();
  });

  test("a form does not overwrite what somebody else has changed in the meantime", async () => {
    const { page, inOrg, close } = await openNewOrg();
    await field(page, "Name").fill("Mine");
    await call(scene.service, "AddCustomLabelPolicy", { name: "Theirs" }, inOrg);
    await page.click(SAVE);
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this");
    await close();
  });

  test("a viewer sees the settings, and can change nothing", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_VIEWER", path: `/orgs/${scene.service.orgId}/sign-in` });
    await page.waitForSelector(FRAME);
    expect(await page.locator("main button, main input:not([readonly]):not([disabled])").count()).toBe(0);
    await close();
  });
});
