import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from "@simplewebauthn/server";
import type { Browser, Page } from "playwright-core";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import { findViolations } from "../../support/browsers/axe.ts";
import { addAuthenticator, describeInChromium, launchChromium } from "../../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../../support/browsers/pictures.ts";
import { type Caller, createCaller } from "../../support/clients/callers.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { type LocalhostProxy, startLocalhostProxy } from "../../support/servers/localhost-proxy.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

describeInChromium("the passkey page, in Chromium", () => {
  let proxy: LocalhostProxy;
  let service: TestService;
  let caller: Caller;
  let browser: Browser;

  beforeAll(async () => {
    proxy = await startLocalhostProxy();
    service = await startService("postgres", { PUBLIC_URL: proxy.origin });
    proxy.target.port = service.port;
    caller = createCaller("grpc-web", service, service.adminToken);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    caller?.close();
    proxy?.server.close();
    await service?.close();
  });

  let count = 0;

  async function newLink(profile: object = {}, userName = `ada-${++count}`): Promise<{ userId: string; link: string }> {
    const outcome = await caller.call("ImportHumanUser", {
      userName,
      ...HUMAN,
      profile: { ...HUMAN.profile, ...profile },
      requestPasswordlessRegistration: true,
    });
    if (!outcome.ok) throw new Error(outcome.message);
    const { link } = outcome.message.passwordlessRegistration as { link: string };
    return { userId: String(outcome.message.userId), link };
  }

  /** A new browser context with a virtual authenticator. */
  async function newVisitor(options: Parameters<Browser["newContext"]>[0] = {}, authenticator: object = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    const { session, authenticatorId } = await addAuthenticator(page, authenticator);
    return { context, page, session, authenticatorId, problems };
  }

  /** Presses the button with the keyboard. */
  async function pressButton(page: Page): Promise<void> {
    await page.waitForSelector("button:visible");
    for (let steps = 0; steps < 10 && (await focused(page)) !== "BUTTON"; steps++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
  }

  const focused = (page: Page) => page.evaluate<string>("document.activeElement.tagName");
  const heading = async (page: Page) => (await page.textContent("h1"))?.trim();

  async function problemIn(page: Page): Promise<string> {
    const alert = page.locator("[role=alert]:not(:empty)");
    await alert.waitFor();
    return (await alert.textContent()) ?? "";
  }

  const passkeysOf = (userId: string) =>
    service.db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).execute();

  test("a user registers a passkey with the keyboard, and can sign in with it", async () => {
    const { userId, link } = await newLink();
    const { context, page, session, authenticatorId, problems } = await newVisitor();
    await page.goto(link);
    expect(await heading(page)).toBe("Set up a passkey");
    await pressButton(page);
    await page.waitForSelector("h1.done");
    expect(await heading(page)).toBe("Your passkey is set up");
    expect(await page.title()).toBe("Your passkey is set up · Signet");
    await page.waitForSelector("h1:focus");
    expect(await page.locator("h1").count()).toBe(1);
    expect(await page.locator("button").count()).toBe(0);

    const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
    const [passkey] = await passkeysOf(userId);
    if (passkey === undefined) throw new Error("no passkey is stored");
    expect(credentials).toMatchObject([
      {
        credentialId: Buffer.from(passkey.id, "base64url").toString("base64"),
        rpId: "localhost",
        isResidentCredential: true,
        userHandle: Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64"),
      },
    ]);
    expect(passkey).toMatchObject({
      org_id: service.orgId,
      transports: ["internal"],
      device_type: "singleDevice",
      backed_up: false,
    });
    const code = await service.db
      .selectFrom("codes")
      .select(["used_at", "challenge"])
      .where("user_id", "=", userId)
      .execute();
    expect(code).toEqual([{ used_at: passkey.created_at, challenge: null }]);
    const event = await service.db
      .selectFrom("events")
      .select(["type", "editor_id", "created_at", "payload"])
      .where("aggregate_id", "=", userId)
      .orderBy("sequence", "desc")
      .limit(1)
      .execute();
    expect(event).toEqual([
      {
        type: "user.human.passwordless.registered",
        editor_id: userId,
        created_at: passkey.created_at,
        payload: { passkeyId: passkey.id },
      },
    ]);

    const challenge = Buffer.from("a challenge of a login").toString("base64url");
    const response = await page.evaluate<AuthenticationResponseJSON>(`
      navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON({
          challenge: "${challenge}", rpId: "localhost", userVerification: "required",
        }),
      }).then((credential) => credential.toJSON())`);
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: proxy.origin,
      expectedRPID: "localhost",
      credential: {
        id: passkey.id,
        publicKey: Uint8Array.from(passkey.public_key),
        counter: Number(passkey.counter),
      },
    });
    expect([verified, authenticationInfo.newCounter > Number(passkey.counter)]).toEqual([true, true]);

    await page.reload();
    expect(await heading(page)).toBe("This link has already been used");
    // The console reports the status 410 as an error.
    expect(problems.filter((text) => !text.includes("410"))).toEqual([]);
    await context.close();
  });

  test("a failed ceremony is explained, and the link stays valid", async () => {
    const { userId, link } = await newLink();
    const { context, page, session, authenticatorId } = await newVisitor();
    await page.goto(link);
    // The authenticator does not verify the user.
    await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await pressButton(page);
    expect(await problemIn(page)).toMatch(/^No passkey was set up: the operation was canceled/);
    await page.waitForSelector("button:focus");
    expect(await page.textContent("[role=status]")).toBe("");
    expect(await passkeysOf(userId)).toEqual([]);

    await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
    expect(await passkeysOf(userId)).toHaveLength(1);
    await context.close();
  });

  test("a device that already has a passkey of the user is reported", async () => {
    const { userId, link } = await newLink();
    const { context, page } = await newVisitor();
    await page.goto(link);
    await pressButton(page);
    await page.waitForSelector("h1.done");
    // Makes the link usable again, in place of a second link for the user.
    await service.db.updateTable("codes").set({ used_at: null }).where("user_id", "=", userId).execute();
    await page.goto(link);
    await pressButton(page);
    expect(await problemIn(page)).toMatch(/^This device already has a passkey for your account/);
    expect(await passkeysOf(userId)).toHaveLength(1);
    await context.close();
  });

  test("a passkey that the service rejects is removed from the device", async () => {
    const { userId, link } = await newLink();
    const { context, page, session, authenticatorId } = await newVisitor();
    await page.route("**/ui/passkey/registration", (route) => {
      const body = route.request().postDataJSON();
      body.response.response.clientDataJSON = Buffer.from("{}").toString("base64url");
      return route.continue({ postData: JSON.stringify(body) });
    });
    const credentials = async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
    const made = new Promise<void>((resolve) => session.on("WebAuthn.credentialAdded", () => resolve()));
    const deleted = new Promise<void>((resolve) => session.on("WebAuthn.credentialDeleted", () => resolve()));
    await page.goto(link);
    await pressButton(page);
    expect(await problemIn(page)).toMatch(/^The passkey could not be verified/);
    await Promise.all([made, deleted]);
    expect(await credentials()).toEqual([]);

    await page.unroute("**/ui/passkey/registration");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.done");
    expect(await credentials()).toHaveLength(1);
    expect(await passkeysOf(userId)).toHaveLength(1);
    await context.close();
  });

  test("a link that is used while the page is open is reported, and the button disappears", async () => {
    const { link } = await newLink();
    const [one, other] = [await newVisitor(), await newVisitor({ locale: "de" })];
    await one.page.goto(link);
    await other.page.goto(link);
    await pressButton(one.page);
    await one.page.waitForSelector("h1.done");
    await pressButton(other.page);
    expect(await problemIn(other.page)).toMatch(/^Dieser Link wurde bereits verwendet\. /);
    expect(await other.page.locator("button:visible").count()).toBe(0);
    await Promise.all([one, other].map(({ context }) => context.close()));
  });

  test("a service that cannot be reached is reported", async () => {
    const { link } = await newLink();
    const { context, page } = await newVisitor();
    await page.goto(link);
    await context.setOffline(true);
    await pressButton(page);
    expect(await problemIn(page)).toMatch(/^The service could not be reached/);
    await context.setOffline(false);
    await pressButton(page);
    await page.waitForSelector("h1.done");
    await context.close();
  });

  test("the page shows a hint in a browser without WebAuthn, and in one without JavaScript", async () => {
    const { link } = await newLink();
    const { context, page } = await newVisitor();
    await context.addInitScript("delete globalThis.PublicKeyCredential");
    await page.goto(link);
    expect(await problemIn(page)).toMatch(/^This browser cannot create passkeys/);
    expect(await page.locator("button:visible").count()).toBe(0);
    await context.close();

    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(link);
    expect(await still.textContent("noscript")).toMatch(/JavaScript/);
    expect(await still.locator("noscript .error:visible").count()).toBe(1);
    expect(await still.locator("button:visible").count()).toBe(0);
    await plain.close();
  });

  test("axe finds nothing on the page in each of its states", async () => {
    const { link } = await newLink();
    const { context, page, session, authenticatorId } = await newVisitor();
    await page.goto(link);
    await page.waitForSelector("button:visible");
    expect(await findViolations(page)).toEqual([]);
    await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await pressButton(page);
    await problemIn(page);
    expect(await findViolations(page)).toEqual([]);
    await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await pressButton(page);
    await page.waitForSelector("h1.done");
    expect(await findViolations(page)).toEqual([]);
    await page.reload();
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });

  test("the page fits a screen of 320 pixels in every language", async () => {
    const { link } = await newLink({ displayName: "Ada".repeat(60) });
    for (const locale of LANGUAGES) {
      const context = await browser.newContext({ viewport: { width: 320, height: 640 }, locale });
      const page = await context.newPage();
      await page.goto(link);
      await page.waitForSelector("button:visible");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
      await context.close();
    }
  });

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      const { link } = await newLink({}, `ada-${form}`);
      const { context, page, session, authenticatorId } = await newVisitor(options);
      await page.goto(link);
      await page.waitForSelector("button:visible");
      await takePicture(page, "passkey", form);
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
      await pressButton(page);
      await problemIn(page);
      await takePicture(page, "passkey-canceled", form);
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
      await pressButton(page);
      await page.waitForSelector("h1.done");
      await takePicture(page, "passkey-done", form);
      await page.reload();
      await takePicture(page, "passkey-used", form);
      await context.close();
    });
});
