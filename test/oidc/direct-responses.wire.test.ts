import * as client from "openid-client";
import { createRelyingParty, newBrowser, type RelyingParty, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

/** An origin of the applications. oidc-provider checks the requests of scripts in browsers. */
const ORIGIN = "https://app.example.com";
const FORM = { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
const PROFILE = ["family_name", "given_name", "name", "preferred_username", "updated_at"];
const EVERYTHING = "openid profile email phone offline_access";

interface AskedRequest {
  readonly headers: Record<string, string>;
  readonly method?: string;
  readonly body?: string;
}

describe("Signet responds alike to its own checks and to those of oidc-provider", () => {
  let service: TestService;
  let app: RelyingParty;
  let userId: string;

  beforeAll(async () => {
    ({ service, app, userId } = await startProvider("postgres"));
  });
  beforeEach(() => {
    service.clockOffsetMs = 0;
  });
  afterAll(() => service?.close());

  const signInTo = (party: RelyingParty, parameters: Record<string, string> = {}) =>
    signInAndRedeem(service, newBrowser(service), party, userId, { scope: "openid", ...parameters });

  /** The responses after both. */
  async function askBoth(path: string, { headers: sent, ...init }: AskedRequest) {
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(service.origin + path, { ...init, headers });
      const header = (name: string) => response.headers.get(name);
      const kept = ["cache-control", "content-type", "vary", "www-authenticate"].map(header);
      return { status: response.status, kept, body: await response.json() };
    };
    const [direct, provider] = [await ask(sent), await ask({ ...sent, origin: ORIGIN })];
    return { direct, provider };
  }

  async function expectSameUserinfo(token: string, status: number) {
    const { direct, provider } = await askBoth("/oidc/v1/userinfo", { headers: { authorization: `Bearer ${token}` } });
    expect(direct).toEqual(provider);
    expect(direct.status).toBe(status);
    return direct.body;
  }

  async function expectSameIntrospection(token: string, party = app) {
    const basic = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString("base64")}`;
    const isPublic = party.secret === undefined;
    const { direct, provider } = await askBoth("/oauth/v2/introspect", {
      method: "POST",
      headers: isPublic ? { ...FORM } : { ...FORM, authorization: basic },
      body: String(new URLSearchParams({ token, ...(isPublic && { client_id: party.id }) })),
    });
    expect(direct).toEqual(provider);
    expect(direct.status).toBe(200);
    return direct.body;
  }

  test.each<[scope: string, parameters: Record<string, string>, names: string[]]>([
    ["openid", {}, []],
    ["openid profile", {}, PROFILE],
    ["openid email phone", {}, ["email", "email_verified"]],
    [EVERYTHING, {}, ["email", "email_verified", ...PROFILE]],
    [
      "openid",
      { claims: '{"userinfo":{"email":null,"name":{"essential":true},"unknown":null,"gender":"x"}}' },
      ["email", "name"],
    ],
    ["openid", { claims: '{"id_token":{"email":null},"userinfo":{"phone_number":[]}}' }, []],
  ])("for userinfo with the scope %s and %j", async (scope, parameters, names) => {
    const { access_token } = await signInTo(app, { scope, ...parameters });
    const body = await expectSameUserinfo(access_token, 200);
    expect(body.sub).toBe(userId);
    expect(Object.keys(body).sort()).toEqual([...names, "sub"].sort());
  });

  test.each(["unknown", `#${"0".repeat(64)}`])("for the token %s", async (token) => {
    await expectSameUserinfo(token, 401);
    expect(await expectSameIntrospection(token)).toEqual({ active: false });
  });

  test.each(["opaque", "jwt"] as const)("for introspection of its own tokens: %s", async (access_token_type) => {
    const party = await createRelyingParty(service, { access_token_type });
    const tokens = await signInTo(party, { scope: EVERYTHING });
    expect(await expectSameIntrospection(tokens.access_token, party)).toMatchObject({ active: true, sub: userId });
    expect(await expectSameIntrospection(String(tokens.refresh_token), party)).toMatchObject({ active: true });
    expect(await expectSameIntrospection(tokens.access_token)).toMatchObject({ active: true, client_id: party.id });
    await expectSameUserinfo(tokens.access_token, 200);
  });

  test("for introspection of others' tokens", async () => {
    const { access_token: token } = await signInTo(app);
    const strangers = { owner_id: await service.createOrg("strangers") };
    expect(await expectSameIntrospection(token, await createRelyingParty(service, strangers))).toEqual({
      active: false,
    });
    const open = await createRelyingParty(service, { auth_method: "none" });
    expect(await expectSameIntrospection(token, open)).toEqual({ active: false });
    expect(await expectSameIntrospection((await signInTo(open)).access_token, open)).toMatchObject({ active: true });
  });

  const ENDS: Readonly<Record<string, (party: RelyingParty, token: string) => Promise<unknown>>> = {
    "that has expired": async () => {
      service.clockOffsetMs = 3_700_000;
    },
    "that was revoked": ({ configuration }, token) => client.tokenRevocation(configuration, token),
    "without its grant": () => service.db.deleteFrom("oidc_artifacts").where("kind", "=", "Grant").execute(),
    "without its session": () => service.db.deleteFrom("oidc_artifacts").where("kind", "=", "Session").execute(),
    "whose session has expired": () =>
      service.db.updateTable("oidc_artifacts").set({ expires_at: new Date() }).where("kind", "=", "Session").execute(),
  };

  test.each(Object.keys(ENDS))("for a token %s", async (what) => {
    const party = await createRelyingParty(service);
    const { access_token: token } = await signInTo(party);
    expect(await expectSameIntrospection(token, party)).toMatchObject({ active: true });
    await ENDS[what]?.(party, token);
    await expectSameUserinfo(token, 401);
    expect(await expectSameIntrospection(token, party)).toEqual({ active: false });
  });

  test("for a user or an application that is not active", async () => {
    const party = await createRelyingParty(service);
    const { access_token: token } = await signInTo(party);
    const setUser = (state: "active" | "inactive") =>
      service.db.updateTable("users").set({ state }).where("id", "=", userId).execute();
    await setUser("inactive");
    await expectSameUserinfo(token, 401);
    await setUser("active");
    await service.db.updateTable("apps").set({ state: "inactive" }).where("id", "=", party.id).execute();
    await expectSameUserinfo(token, 401);
    expect(await expectSameIntrospection(token)).toEqual({ active: false });
  });

  test("for a refresh token that was used", async () => {
    const { refresh_token = "" } = await signInTo(app, { scope: EVERYTHING });
    const refreshed = await client.refreshTokenGrant(app.configuration, refresh_token);
    service.secret(refreshed.access_token);
    service.secret(refreshed.refresh_token ?? "");
    expect(await expectSameIntrospection(refresh_token)).toEqual({ active: false });
    expect(await expectSameIntrospection(refreshed.refresh_token ?? "")).toMatchObject({ active: true });
  });
});
