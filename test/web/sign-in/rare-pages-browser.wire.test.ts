import type { JsonObject } from "@bufbuild/protobuf";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { findSignInIdp } from "../../../src/idps/find-sign-in-idp.ts";
import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import { storeUnsolicited } from "../../../src/sign-in/provider/unsolicited-responses.ts";
import { OFFER } from "../../../src/web/sign-in/provider/unsolicited.ts";
import { addAuthenticator, describeInChromium, launchChromium } from "../../support/browsers/chromium.ts";
import { call, importAda, VERIFIED } from "../../support/browsers/visitor.ts";
import { testPages, type Visit } from "../../support/browsers/visits.ts";
import { linkTo } from "../../support/messages/link-to.ts";
import { type OtherProviders, registerIdp, startOtherProviders } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { newSub, PERSON } from "./idp-scene.ts";

/** A secure context, for passkeys. */
const ORIGIN = "http://id.localhost";
const PASSWORD = "analytical engine no. 1";
const POLICY = {
  allowUsernamePassword: true,
  allowRegister: true,
  allowExternalIdp: true,
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
};

describeInChromium("the rare pages of a sign-in, in Chromium", () => {
  let providers: OtherProviders;
  let service: TestService;
  let app: RelyingParty;
  let browser: Browser;
  let count = 0;

  beforeAll(async () => {
    providers = await startOtherProviders();
    service = await startService("postgres", { PUBLIC_URL: ORIGIN, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
    service.secret(PASSWORD);
    app = await createRelyingParty(service, { name: "Notes" });
    await call(service, "UpdateLoginPolicy", POLICY);
    browser = await launchChromium({ "id.localhost": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await providers?.close();
  });

  /** Runs in a new browser. */
  async function inBrowser(options: BrowserContextOptions, act: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext(options);
    await act(await context.newPage());
    await context.close();
  }

  async function newUser(fields: object = VERIFIED) {
    const userName = `user-${++count}`;
    return { userName, userId: await importAda(service, { userName, password: PASSWORD, ...fields }) };
  }

  async function enter(page: Page, userName: string, next: string): Promise<void> {
    await page.goto(createRequest(app).url.href);
    await page.fill("#username", userName);
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForSelector(next, { state: "attached" });
  }

  /** Requests an account for an address. Returns the link in the email. */
  async function register(page: Page, email: string): Promise<string> {
    await page.goto(createRequest(app).url.href);
    await page.click("button:has-text('Create an account')");
    await page.fill("#email", email);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
    return await linkTo(service, email);
  }

  const visitRegistration = (options: BrowserContextOptions, visit: Visit) =>
    inBrowser(options, async (page) => {
      const [named, taken] = [`ada-${++count}@example.com`, `ada-${++count}@example.com`];
      await page.goto(await register(page, named));
      await importAda(service, { userName: named });
      await page.reload();
      await page.waitForSelector("#userName");
      await visit(page, "register-name-taken", "Error: Finish creating your account");
      const link = await register(page, taken);
      await importAda(service, { email: { email: taken, isEmailVerified: true } });
      await page.goto(link);
      await visit(page, "register-taken", "Error: You already have an account");
      await page.goto(link.replace("code=", "code=x"));
      await visit(page, "register-over", "Error: This link is no longer valid");
    });

  /** A provider of the organization with these options, and its user. */
  async function newIdp(providerOptions: JsonObject, account: object) {
    const idp = await registerIdp(service, providers, {
      orgId: service.orgId,
      account: { ...PERSON, sub: newSub(), ...account },
    });
    const clientId = `signet-${idp.name}`;
    const settings = { id: idp.id, name: "Example Workforce", clientId, issuer: idp.issuer, usePkce: true };
    const headers = { "x-service-orgid": service.orgId };
    await call(service, "UpdateGenericOIDCProvider", { ...settings, providerOptions }, headers);
    // The pages cache the providers for a few seconds.
    service.clockOffsetMs += 6_000;
    return { ...idp, remove: () => service.db.deleteFrom("idps").where("id", "=", idp.id).execute() };
  }

  async function visitLinking(options: BrowserContextOptions, visit: Visit): Promise<void> {
    const email = `grace-${++count}@example.com`;
    await newUser({ email: { email, isEmailVerified: true } });
    const linking = await newIdp({ isLinkingAllowed: true, autoLinking: "AUTO_LINKING_OPTION_EMAIL" }, { email });
    await inBrowser(options, async (page) => {
      await page.goto(createRequest(app).url.href);
      await page.click(`button[value="${linking.id}"]`);
      await page.waitForSelector("[value=skip]");
      await visit(page, "idp-linked", "Your accounts are linked now");
    });
    await linking.remove();
    const closed = await newIdp({}, {});
    await inBrowser(options, async (page) => {
      await page.goto(createRequest(app).url.href);
      await page.click(`button[value="${closed.id}"]`);
      await page.waitForSelector("h1:has-text('Account not linked yet')");
      await visit(page, "idp-closed", "Account not linked yet");
    });
    await closed.remove();
  }

  /**
   * The page after a response of a SAML provider that answers no request. Stores the response as accepted, because the
   * time limit for reading one would depend on the speed of the machine.
   */
  async function visitSaml(options: BrowserContextOptions, visit: Visit): Promise<void> {
    const nameId = `grace-${++count}`;
    const client = { issuer: "https://portal.example.com", clientId: "signet", clientSecret: "x" };
    const idpId = String((await call(service, "AddOIDCIDP", { name: "Example Portal", ...client })).idpId);
    await service.db
      .updateTable("idps")
      .set({ kind: "saml", config: { allowIdpInitiated: true } })
      .where("id", "=", idpId)
      .execute();
    await newUser({ ...VERIFIED, idps: [{ configId: idpId, externalUserId: nameId }] });
    const idp = await findSignInIdp(service, { orgId: service.orgId, idpId });
    if (idp === undefined) throw new Error("there is no provider");
    const names = {
      givenName: "Grace",
      familyName: "Hopper",
      name: "Grace Hopper",
      nickname: "",
      preferredUsername: "",
    };
    const user = { id: nameId, ...names, email: "", emailVerified: false, locale: "" };
    const external = { idpId, idpSequence: String(idp.sequence), user, authTime: undefined, remember: false };
    const response = { idp, assertionId: nameId, external: { ...external, isUnsolicited: true } };
    const handle = await storeUnsolicited(service, response, { throwIfOver() {} });
    if (handle === undefined) throw new Error("the response was accepted before");
    const [cookie = ""] = OFFER.header(service, idpId, handle).split(";");
    const end = cookie.indexOf("=");
    await inBrowser(options, async (page) => {
      await page.context().addCookies([{ name: cookie.slice(0, end), value: cookie.slice(end + 1), url: ORIGIN }]);
      await page.goto(`${ORIGIN}/ui/idps/${idpId}/saml/continue`);
      await visit(page, "saml-continue", "Sign in with Example Portal?");
    });
    await service.db.deleteFrom("idps").where("id", "=", idpId).execute();
  }

  async function visitGates(options: BrowserContextOptions, visit: Visit): Promise<void> {
    const [unverified, coding, adding] = [await newUser({}), await newUser(), await newUser()];
    await inBrowser(options, async (page) => {
      await enter(page, unverified.userName, "input[name=proof]");
      await page.click("form button:not(.secondary)");
      await page.waitForSelector("[role=alert]");
      await visit(page, "address-not-yet", "Error: Confirm your email address");
    });
    await call(service, "UpdateLoginPolicy", { ...POLICY, forceMfa: true });
    await inBrowser(options, async (page) => {
      await enter(page, coding.userName, "[value=app]");
      await page.click("[value=app]");
      await page.waitForSelector("#code");
      await visit(page, "second-factor-code", "Set up one-time codes");
      const secret = parseTotpSecret((await page.locator("details code").textContent())?.replaceAll(" ", "") ?? "");
      if (secret === undefined) throw new Error("the page shows no secret");
      await page.fill("#code", codeOfStep(secret, stepAt(secret, service.clock())));
      await page.keyboard.press("Enter");
      await page.waitForSelector("#codes");
      await visit(page, "second-factor-recovery-codes", "Save your recovery codes");
    });
    await inBrowser(options, async (page) => {
      // The device waits for its user, and the page for the device.
      await addAuthenticator(page, { automaticPresenceSimulation: false });
      await enter(page, adding.userName, "button[value=passkey]");
      await page.click("button[value=passkey]");
      await page.waitForSelector("#ceremony [role=status]:not(:empty)");
      await visit(page, "second-factor-add-passkey", "Set up a passkey");
    });
    await call(service, "UpdateLoginPolicy", POLICY);
  }

  describe("registration:", () => testPages(visitRegistration));
  describe("links to accounts:", () => testPages(visitLinking));
  describe("SAML providers:", () => testPages(visitSaml));
  describe("gates:", () => testPages(visitGates));
});
