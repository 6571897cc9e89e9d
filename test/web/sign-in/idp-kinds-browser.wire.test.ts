import type { Browser, Page } from "playwright-core";
import { describeInChromium, isHarmless, launchChromium } from "../../support/browsers/chromium.ts";
import { call, importAda, VERIFIED } from "../../support/browsers/visitor.ts";
import { CLIENT } from "../../support/oidc/branded-providers.ts";
import { OTHER_SAML_KEY } from "../../support/saml/metadata.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { ACCOUNT, PASSWORD } from "../account/account-scene.ts";
import { KINDS, type Kind, type KindProviders, newKindProvider, startKindProviders } from "./kind-scene.ts";

const ORIGIN = "http://id.example.com";
const ALL = { isLinkingAllowed: true, isCreationAllowed: true };
/** What the buttons of these kinds say instead of the name. */
const TITLES: Readonly<Partial<Record<Kind["kind"], string>>> = {
  Apple: "Apple",
  AzureAD: "Microsoft",
  Google: "Google",
};
/** The statuses of the error pages in these tests. */
const STATUSES = [422, 502];

describeInChromium("a provider of each kind, in Chromium", () => {
  let places: KindProviders;
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    places = await startKindProviders();
    service = await startService("postgres", { PUBLIC_URL: ORIGIN }, { providerHosts: places.branded.hosts });
    places.saml.now = () => service.clock();
    service.secret(CLIENT.clientSecret);
    service.secret(PASSWORD);
    browser = await launchChromium({ "id.example.com": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await places?.close();
  });

  const problems: string[] = [];
  afterEach(() => expect(problems.splice(0)).toEqual([]));

  /** Opens the account page in a new browser context, which leads to the sign-in page. */
  async function open(): Promise<Page> {
    // The pages cache the providers for a few seconds.
    service.clockOffsetMs += 6_000;
    const page = await (await browser.newContext()).newPage();
    page.on("console", (message) => {
      if (!isHarmless(message.text(), STATUSES)) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(ORIGIN + ACCOUNT);
    return page;
  }

  /** The pages of Apple and of SAML providers post a form, here when the user presses the button. */
  const pass = async (page: Page, { kind }: Kind) => {
    if (kind === "Apple" || kind === "SAML") await page.click("text=Yes");
  };
  const choose = async (page: Page, kind: Kind, id: string) => {
    await page.click(`button[value="${id}"]`);
    await pass(page, kind);
  };
  const heading = (page: Page, text: string) => page.waitForSelector(`h1:has-text("${text}")`);

  describe.each(KINDS)("$kind ($quirks)", (kind) => {
    test("a user registers with the provider, and signs in with it again", async () => {
      const { id, name, user } = await newKindProvider(service, places, kind, ALL);
      const page = await open();
      const button = await page.textContent(`button[value="${id}"]`);
      expect(button).toContain(`Sign in with ${TITLES[kind.kind] ?? name}`);
      expect(await page.locator(`button[value="${id}"] svg`).count()).toBe(1);
      await choose(page, kind, id);
      await heading(page, "Account not linked yet");
      await page.click("[value=to-register]");
      await page.waitForSelector("#firstName");
      expect([await page.inputValue("#firstName"), await page.inputValue("#lastName")]).toEqual(["Grace", "Hopper"]);
      const login = user.login ?? "";
      await page.fill("#userName", login);
      await page.click("[value=register]");
      const { linkedAs = ({ id }) => id } = kind;
      const links = service.db.selectFrom("user_idp_links").select("user_id");
      const link = () => links.where("external_user_id", "=", linkedAs(user)).execute();
      if (kind.counts === false) {
        await heading(page, "Confirm your email address");
        const [{ user_id: userId } = { user_id: "" }] = await link();
        await call(service, "UpdateHumanEmail", { userId, email: user.email, isEmailVerified: true });
      } else {
        await page.waitForURL(ORIGIN + ACCOUNT);
      }
      const again = await open();
      await choose(again, kind, id);
      await again.waitForURL(ORIGIN + ACCOUNT);
      const account = await again.textContent("main");
      for (const text of [login, user.email, "Grace Hopper", name]) expect(account).toContain(text);
      expect(await link()).toHaveLength(1);
      await page.context().close();
      await again.context().close();
    });

    test("a user links the provider on the account page, and removes the link", async () => {
      const { id, user } = await newKindProvider(service, places, kind, ALL);
      const userName = `ada-${user.id}`;
      await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
      const page = await open();
      await page.fill("#username", userName);
      await page.fill("#password", PASSWORD);
      await page.keyboard.press("Enter");
      await page.waitForURL(ORIGIN + ACCOUNT);
      await page.click(`form[action="${ACCOUNT}/links"] button[value="${id}"]`);
      await pass(page, kind);
      await page.waitForSelector("[role=status]:has-text('The account was linked.')");
      await page.click(`a[href*="/links/remove?idp=${id}"]`);
      await heading(page, "Remove the linked account?");
      await page.click("main form button");
      await page.waitForSelector("[role=status]:has-text('The linked account was removed.')");
      await page.context().close();
    });

    test("a page says that the user has canceled, and why a sign-in fails", async () => {
      const { id, name } = await newKindProvider(service, places, kind, ALL);
      const page = await open();
      places.branded.mood = "declining";
      places.saml.declines = true;
      await choose(page, kind, id);
      await page.waitForSelector(`[role=alert]:has-text("The sign-in with ${name} was canceled or declined.")`);
      places.saml.declines = false;
      // Signet sends no requests to SAML providers, but they may have another key.
      if (kind.kind === "SAML") {
        const metadata = places.saml.metadata({ certificates: [OTHER_SAML_KEY.certificate] });
        const metadataXml = Buffer.from(metadata).toString("base64");
        await call(service, "AdminService.UpdateSAMLProvider", { id, name, metadataXml, providerOptions: ALL });
        const failing = await open();
        await choose(failing, kind, id);
        await heading(failing, `The sign-in with ${name} failed`);
        expect(await failing.textContent("main")).toContain(`The response from ${name} could not be verified.`);
        await failing.context().close();
      } else {
        // Of a provider whose metadata are not known yet.
        const { id: other, name: otherName } = await newKindProvider(service, places, kind, ALL);
        places.branded.mood = "down";
        const failing = await open();
        await failing.click(`button[value="${other}"]`);
        await heading(failing, `The sign-in with ${otherName} failed`);
        expect(await failing.textContent("main")).toContain(`${otherName} cannot be reached at the moment.`);
        await failing.click("text=Back to the sign-in");
        await failing.waitForSelector(`button[value="${other}"]`);
        await failing.context().close();
      }
      places.branded.mood = "willing";
      await page.context().close();
    });
  });
});
