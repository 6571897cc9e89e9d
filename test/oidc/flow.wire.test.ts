import * as client from "openid-client";
import { importAda } from "../support/browsers/visitor.ts";
import {
  createRelyingParty,
  createRequest,
  keepSecret,
  newBrowser,
  type RelyingParty,
  redeem,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

describe("an application", () => {
  let service: TestService;
  let app: RelyingParty;
  let userId: string;

  beforeAll(async () => {
    ({ service, app, userId } = await startProvider("postgres"));
  });
  afterAll(() => service.close());

  test("signs a user in by code and PKCE, and reads the claims", async () => {
    const browser = newBrowser(service);
    const tokens = await signInAndRedeem(service, browser, app, userId, { scope: "openid profile email phone" });
    expect(tokens.claims()).toMatchObject({ sub: userId, aud: app.id, amr: ["pwd"] });
    expect(await client.fetchUserInfo(app.configuration, tokens.access_token, userId)).toMatchObject({
      sub: userId,
      name: "Ada Lovelace",
      given_name: "Ada",
      family_name: "Lovelace",
      email: "ada@example.com",
      email_verified: true,
    });
    expect(tokens.refresh_token).toBeUndefined();
  });

  test("reads a claim for each field of an imported user", async () => {
    const id = await importAda(service, {
      userName: "Ada.L",
      profile: {
        firstName: "Ada",
        lastName: "Lovelace",
        nickName: "Countess",
        displayName: "Ada L.",
        preferredLanguage: "en-GB",
        gender: "GENDER_FEMALE",
      },
      email: { email: "ada@example.com", isEmailVerified: true },
      phone: { phone: "+41 79 123 45 67", isPhoneVerified: true },
    });
    const tokens = await signInAndRedeem(service, newBrowser(service), app, id, {
      scope: "openid profile email phone",
    });
    expect(await client.fetchUserInfo(app.configuration, tokens.access_token, id)).toEqual({
      sub: id,
      name: "Ada L.",
      given_name: "Ada",
      family_name: "Lovelace",
      nickname: "Countess",
      preferred_username: "Ada.L",
      gender: "female",
      locale: "en-GB",
      updated_at: expect.any(Number),
      email: "ada@example.com",
      email_verified: true,
      phone_number: "+41791234567",
      phone_number_verified: true,
    });
  });

  test("reads no address of a user who has only a placeholder", async () => {
    const id = await importAda(service, { userName: "no-address", email: { email: "1@csv.invalid" } });
    const tokens = await signInAndRedeem(service, newBrowser(service), app, id, { scope: "openid email" });
    expect(await client.fetchUserInfo(app.configuration, tokens.access_token, id)).toEqual({ sub: id });
  });

  test("signs the user of a session in without a page", async () => {
    const browser = newBrowser(service);
    await signInAndRedeem(service, browser, app, userId);
    const other = await createRelyingParty(service);
    const request = createRequest(other, { prompt: "none" });
    const callback = await signIn(service, browser, request.url, userId);
    expect((await redeem(service, other, callback, request)).claims()?.sub).toBe(userId);
  });

  test("refreshes its tokens, each refresh token once", async () => {
    const tokens = await signInAndRedeem(service, newBrowser(service), app, userId, { scope: "openid offline_access" });
    const first = String(tokens.refresh_token);
    const refreshed = await client.refreshTokenGrant(app.configuration, first);
    keepSecret(service, refreshed);
    expect(refreshed.refresh_token).not.toBe(first);
    service.clockOffsetMs = 31_000;
    await expect(client.refreshTokenGrant(app.configuration, first)).rejects.toMatchObject({ error: "invalid_grant" });
    await expect(client.refreshTokenGrant(app.configuration, String(refreshed.refresh_token))).rejects.toMatchObject({
      error: "invalid_grant",
    });
    await expect(client.fetchUserInfo(app.configuration, refreshed.access_token, userId)).rejects.toThrow();
    service.clockOffsetMs = 0;
  });
});
