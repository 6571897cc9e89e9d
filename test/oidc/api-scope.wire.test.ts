import * as client from "openid-client";
import { accountSignInUrl } from "../../src/oidc/clients.ts";
import type { Browser, BrowserResponse } from "../support/browsers/browser.ts";
import { followToDevicePage } from "../support/oidc/device-page.ts";
import {
  completeSignIn,
  createRelyingParty,
  createRequest,
  findRequest,
  keepSecret,
  newBrowser,
  type RelyingParty,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

const SCOPE = "openid offline_access urn:signet:api";
const DEVICE = {
  type: "native",
  auth_method: "none",
  redirect_uris: ["com.example.tv:/done"],
  grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
} as const;

let service: TestService;
let withAccess: RelyingParty;
let without: RelyingParty;
let userId: string;

beforeAll(async () => {
  const app = { ...DEVICE, grant_types: [...DEVICE.grant_types], redirect_uris: [...DEVICE.redirect_uris] };
  ({ service, app: without, userId } = await startProvider("postgres", { app }));
  withAccess = await createRelyingParty(service, { ...app, api_access: true });
});
afterAll(() => service.close());

const setAccess = (api_access: boolean) =>
  service.db.updateTable("apps").set({ api_access }).where("id", "=", withAccess.id).execute();

async function call(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${service.origin}/management/v1/orgs/me`, { headers })).status;
}

describe("an application without API access", () => {
  test.each([{}, { prompt: "none" }])("is refused the scope in authorization requests %j", async (parameters) => {
    const browser = newBrowser(service);
    await signInAndRedeem(service, browser, without, userId);
    const { location } = await browser.open(String(createRequest(without, { scope: SCOPE, ...parameters }).url));
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      error: "invalid_scope",
      error_description: "the application has no API access",
    });
  });

  test("is refused the scope in device authorization requests", async () => {
    const begun = client.initiateDeviceAuthorization(without.configuration, { scope: SCOPE });
    await expect(begun).rejects.toMatchObject({ error: "invalid_scope" });
  });

  test("is refused the scope if it is the account page", async () => {
    const url = new URL(accountSignInUrl(service.config.publicUrl, {}));
    url.searchParams.set("scope", SCOPE);
    const { location } = await newBrowser(service).open(String(url));
    expect(new URL(location).searchParams.get("error")).toBe("invalid_scope");
  });
});

describe("an application that loses its API access", () => {
  test("cannot refresh its tokens with the scope, and its access tokens are invalid", async () => {
    const tokens = await signInAndRedeem(service, newBrowser(service), withAccess, userId, { scope: SCOPE });
    expect(await call(tokens.access_token)).toBe(403);
    const refresh = async (refreshToken = "", scope?: Record<string, string>) => {
      const refreshed = await client.refreshTokenGrant(withAccess.configuration, refreshToken, scope);
      keepSecret(service, refreshed);
      return refreshed;
    };

    await setAccess(false);
    expect(await call(tokens.access_token)).toBe(401);
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject({ error: "invalid_scope" });
    const narrow = await refresh(tokens.refresh_token, { scope: "openid" });
    expect(narrow.scope).toBe("openid");
    await expect(refresh(narrow.refresh_token)).rejects.toMatchObject({ error: "invalid_scope" });

    await setAccess(true);
    expect(await call((await refresh(narrow.refresh_token)).access_token)).toBe(403);
  });

  test("cannot redeem a code with the scope", async () => {
    const request = createRequest(withAccess, { scope: SCOPE });
    const callback = await signIn(service, newBrowser(service), request.url, userId);
    service.secret(callback.searchParams.get("code") ?? "");
    await setAccess(false);
    const redeemed = client.authorizationCodeGrant(withAccess.configuration, callback, request.checks);
    await expect(redeemed).rejects.toMatchObject({ error: "invalid_scope" });
    await setAccess(true);
  });
});

describe("a device that asks for API access", () => {
  const TEXT = "The application will be able to act for you: to read";

  async function begin(scope: string) {
    const begun = await client.initiateDeviceAuthorization(withAccess.configuration, { scope });
    service.secret(begun.device_code);
    return begun;
  }

  const post = async (browser: Browser, page: BrowserResponse, fields: Record<string, string>) => {
    const xsrf = /name="xsrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
    return followToDevicePage(browser, await browser.post("/ui/device", { xsrf, ...fields }));
  };

  /** Enters the code. Returns the page that asks for confirmation. */
  async function enter(browser: Browser, userCode: string): Promise<BrowserResponse> {
    return post(browser, await browser.open("/ui/device"), { user_code: userCode });
  }

  async function signInEarlier(browser: Browser, minutes: number): Promise<void> {
    service.clockOffsetMs = -minutes * 60_000;
    await signInAndRedeem(service, browser, withAccess, userId);
    service.clockOffsetMs = 0;
  }

  test("is shown as such to the user, and only then", async () => {
    const page = await enter(newBrowser(service), (await begin(SCOPE)).user_code);
    expect(page.text).toContain(TEXT);
    expect((await enter(newBrowser(service), (await begin("openid")).user_code)).text).not.toContain(TEXT);
  });

  test("gets it after a sign-in of the last 15 minutes", async () => {
    const browser = newBrowser(service);
    await signInEarlier(browser, 14);
    const { user_code } = await begin(SCOPE);
    const done = await post(browser, await enter(browser, user_code), { user_code, confirm: "yes" });
    expect(done.text).toContain("The device is signed in");
  });

  test("gets it only after another sign-in of the same user if the last one is older", async () => {
    const browser = newBrowser(service);
    await signInEarlier(browser, 16);
    const begun = await begin(SCOPE);
    const { user_code } = begun;
    const sentTo = await post(browser, await enter(browser, user_code), { user_code, confirm: "yes" });
    const request = await findRequest(service, browser, sentTo.location);
    expect(request).toMatchObject({ expectedUserId: userId, freshness: { mustAuthenticate: true } });
    const done = await followToDevicePage(browser, await completeSignIn(service, browser, sentTo, userId));
    expect(done.text).toContain("The device is signed in");
    const tokens = await client.pollDeviceAuthorizationGrant(withAccess.configuration, { ...begun, interval: 1 });
    keepSecret(service, tokens);
    expect(await call(tokens.access_token)).toBe(403);
  });

  test("requires other providers to authenticate a user without a session", async () => {
    const browser = newBrowser(service);
    const { user_code } = await begin(SCOPE);
    const sentTo = await post(browser, await enter(browser, user_code), { user_code, confirm: "yes" });
    const request = await findRequest(service, browser, sentTo.location);
    expect(request).toMatchObject({ expectedUserId: undefined, freshness: { mustAuthenticate: true } });
  });

  test("does not need it for other scopes", async () => {
    const browser = newBrowser(service);
    await signInEarlier(browser, 16);
    const { user_code } = await begin("openid");
    const done = await post(browser, await enter(browser, user_code), { user_code, confirm: "yes" });
    expect(done.text).toContain("The device is signed in");
  });

  test("gets nothing if the application loses its access in the meantime", async () => {
    const browser = newBrowser(service);
    await signInEarlier(browser, 0);
    const begun = await begin(SCOPE);
    const { user_code } = begun;
    await post(browser, await enter(browser, user_code), { user_code, confirm: "yes" });
    await setAccess(false);
    const polled = client.pollDeviceAuthorizationGrant(withAccess.configuration, { ...begun, interval: 1 });
    await expect(polled).rejects.toMatchObject({ error: "invalid_scope" });
    await setAccess(true);
  });
});
