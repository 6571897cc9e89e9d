import { sql } from "kysely";
import * as client from "openid-client";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
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

const PARALLEL = 50;

describe("tokens", () => {
  let service: TestService;
  let app: RelyingParty;
  let userId: string;

  beforeAll(async () => {
    ({ service, app, userId } = await startProvider("postgres"));
  });
  afterAll(() => service.close());

  /** Posts to the token endpoint, or another one, as the application. */
  async function post(fields: Record<string, string>, { party = app, path = "/oauth/v2/token" } = {}) {
    const authorization = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString("base64")}`;
    const headers = party.secret === undefined ? {} : { authorization };
    const response = await fetch(service.origin + path, { method: "POST", headers, body: new URLSearchParams(fields) });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  }

  async function codeRequest(parameters: Record<string, string> = {}) {
    const request = createRequest(app, parameters);
    const callback = await signIn(service, newBrowser(service), request.url, userId);
    const code = service.secret(callback.searchParams.get("code") ?? "");
    const { pkceCodeVerifier: code_verifier = "" } = request.checks;
    return { grant_type: "authorization_code", code, code_verifier, redirect_uri: app.redirectUri };
  }

  test("of fifty parallel redemptions of one code, one succeeds", async () => {
    const fields = await codeRequest();
    const responses = await Promise.all(Array.from({ length: PARALLEL }, () => post(fields)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    // The pages have fewer connections to the database than there are requests.
    const refusals = new Set(responses.map(({ status, body }) => `${status} ${body.error}`));
    for (const refusal of refusals) {
      expect(["200 undefined", "400 invalid_grant", "503 temporarily_unavailable"]).toContain(refusal);
    }
  });

  test("redeeming a code again revokes its tokens", async () => {
    const fields = await codeRequest();
    const first = await post(fields);
    expect(first.status).toBe(200);
    keepSecret(service, first.body);
    expect(await post(fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    await expect(client.fetchUserInfo(app.configuration, first.body.access_token, userId)).rejects.toThrow();
  });

  test("a request that fails after its code was accepted uses up the code", async () => {
    const fields = await codeRequest();
    // A deactivation through the API would delete the code.
    await service.db.updateTable("users").set({ state: "inactive" }).where("id", "=", userId).execute();
    expect(await post(fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    await service.db.updateTable("users").set({ state: "active" }).where("id", "=", userId).execute();
    expect(await post(fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  describe("a refresh token that is used again", () => {
    const refresh = async (token: string) => {
      const response = await post({ grant_type: "refresh_token", refresh_token: token });
      if (response.status === 200) keepSecret(service, response.body);
      return response;
    };
    const newToken = async () => {
      const scope = "openid offline_access";
      return String((await signInAndRedeem(service, newBrowser(service), app, userId, { scope })).refresh_token);
    };
    const REFUSED = { status: 400, body: { error: "invalid_grant" } };
    afterEach(() => {
      service.clockOffsetMs = 0;
    });

    test("within 30 seconds gets the same next one, after a lost response and in fifty parallel requests", async () => {
      const first = await newToken();
      const { body: lost } = await refresh(first);
      service.clockOffsetMs += 20_000;
      const repeated = await Promise.all(Array.from({ length: PARALLEL }, () => refresh(first)));
      // The pages have fewer connections to the database than there are requests.
      const tokens = new Set(repeated.filter(({ status }) => status !== 503).map(({ body }) => body.refresh_token));
      expect([...tokens]).toEqual([lost.refresh_token]);
      expect(await client.fetchUserInfo(app.configuration, lost.access_token, userId)).toMatchObject({ sub: userId });
      service.clockOffsetMs += 60_000;
      expect((await refresh(lost.refresh_token)).status).toBe(200);
    });

    test("in parallel for the first time gets the same next one", async () => {
      const first = await newToken();
      const responses = await Promise.all([refresh(first), refresh(first), refresh(first)]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
    });

    test("gets the newest one of the chain", async () => {
      const first = await newToken();
      const second = (await refresh(first)).body.refresh_token;
      const third = (await refresh(second)).body.refresh_token;
      expect((await refresh(first)).body.refresh_token).toBe(third);
      expect(new Set([first, second, third]).size).toBe(3);
    });

    test.each([1, 29])("later ends the grant, also if it was used again after %i seconds", async (seconds) => {
      const first = await newToken();
      const { body } = await refresh(first);
      service.clockOffsetMs += seconds * 1_000;
      await refresh(first);
      service.clockOffsetMs += (31 - seconds) * 1_000;
      expect(await refresh(first)).toMatchObject(REFUSED);
      expect(await refresh(body.refresh_token)).toMatchObject(REFUSED);
      await expect(client.fetchUserInfo(app.configuration, body.access_token, userId)).rejects.toThrow();
    });

    test("by somebody who has stolen it ends the grant at the next use of its owner", async () => {
      const stolen = await newToken();
      const { body: owner } = await refresh(stolen);
      const { body: thief } = await refresh(stolen);
      service.clockOffsetMs += 60_000;
      const next = await refresh(thief.refresh_token);
      service.clockOffsetMs += 60_000;
      expect(await refresh(owner.refresh_token)).toMatchObject(REFUSED);
      expect(await refresh(next.body.refresh_token)).toMatchObject(REFUSED);
    });

    test("is not accepted from another application, and is introspected as used", async () => {
      const first = await newToken();
      await refresh(first);
      const other = await createRelyingParty(service);
      expect(await post({ grant_type: "refresh_token", refresh_token: first }, { party: other })).toMatchObject(
        REFUSED,
      );
      expect((await post({ token: first }, { path: "/oauth/v2/introspect" })).body).toEqual({ active: false });
    });
  });

  test("parallel first requests of ten applications in one session all succeed", async () => {
    const browser = newBrowser(service);
    await signInAndRedeem(service, browser, app, userId);
    const parties = await Promise.all(Array.from({ length: 10 }, () => createRelyingParty(service)));
    const requests = parties.map((party) => createRequest(party, { scope: "openid" }));
    const callbacks = await Promise.all(requests.map(({ url }) => signIn(service, browser, url, userId)));
    for (const [index, party] of parties.entries()) {
      const [callback, request] = [callbacks[index], requests[index]];
      if (callback === undefined || request === undefined) throw new Error("a callback is missing");
      const { access_token } = await redeem(service, party, callback, request);
      expect(await client.fetchUserInfo(party.configuration, access_token, userId)).toMatchObject({ sub: userId });
    }
  });

  test("parallel sign-ins in ten tabs of one browser all succeed", async () => {
    const browser = newBrowser(service);
    await signInAndRedeem(service, browser, app, userId);
    const parties = await Promise.all(Array.from({ length: 10 }, () => createRelyingParty(service)));
    const requests = parties.map((party) => createRequest(party, { scope: "openid", prompt: "login" }));
    const callbacks: URL[] = [];
    for (const request of requests) callbacks.push(await signIn(service, browser, request.url, userId));
    for (const [index, party] of parties.entries()) {
      const [callback, request] = [callbacks[index], requests[index]];
      if (callback === undefined || request === undefined) throw new Error("a callback is missing");
      const { access_token } = await redeem(service, party, callback, request);
      expect(await client.fetchUserInfo(party.configuration, access_token, userId)).toMatchObject({ sub: userId });
    }
  });

  test.each([
    ["another redirect_uri", { redirect_uri: "https://app.example.com/other" }, "invalid_grant"],
    ["no redirect_uri", { redirect_uri: "" }, "invalid_request"],
    ["another code_verifier", { code_verifier: "x".repeat(43) }, "invalid_grant"],
    ["no code_verifier", { code_verifier: "" }, "invalid_grant"],
    ["another code", { code: "x".repeat(43) }, "invalid_grant"],
    ["no code", { code: "" }, "invalid_request"],
    ["an unknown grant_type", { grant_type: "password" }, "unsupported_grant_type"],
    ["client_credentials", { grant_type: "client_credentials" }, "invalid_request"],
    ["no grant_type", { grant_type: "" }, "invalid_request"],
    ["a reference to a row", { code: `#${"0".repeat(64)}` }, "invalid_grant"],
  ])("a token request with %s is refused", async (_title, changes, error) => {
    expect(await post({ ...(await codeRequest()), ...changes })).toMatchObject({ status: 400, body: { error } });
  });

  test("a client must authenticate, and can use only its own codes", async () => {
    const fields = await codeRequest();
    const other = await createRelyingParty(service);
    expect(await post(fields, { party: other })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const unknown = { ...app, secret: "wrong" };
    expect(await post(fields, { party: unknown })).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    const silent = { ...app, secret: undefined };
    expect(await post({ ...fields, client_id: app.id }, { party: silent })).toMatchObject({ status: 401 });
    expect((await post(fields)).status).toBe(200);
  });

  test("a client may send its secret in the body, and a public client has none", async () => {
    const posting = await createRelyingParty(service, { auth_method: "post" }, client.ClientSecretPost);
    expect((await signInAndRedeem(service, newBrowser(service), posting, userId)).access_token).toBeDefined();
    const open = await createRelyingParty(service, { auth_method: "none", type: "spa" });
    expect((await signInAndRedeem(service, newBrowser(service), open, userId)).access_token).toBeDefined();
    const pretending = { grant_type: "refresh_token", refresh_token: "x", client_id: open.id, client_secret: "y" };
    expect(await post(pretending, { party: { ...open, secret: undefined } })).toMatchObject({ status: 401 });
  });

  test.each(["basic", "post"] as const)(
    "a client with the method %s is refused with its secret elsewhere",
    async (method) => {
      const { id, secret = "" } = await createRelyingParty(service, { auth_method: method });
      const ask = (isInHeader: boolean, sent: string) =>
        isInHeader
          ? post({ token: "unknown" }, { party: { ...app, id, secret: sent }, path: "/oauth/v2/introspect" })
          : post(
              { token: "unknown", client_id: id, client_secret: sent },
              { party: { ...app, secret: undefined }, path: "/oauth/v2/introspect" },
            );
      const isBasic = method === "basic";
      expect(await ask(isBasic, secret)).toMatchObject({ status: 200, body: { active: false } });
      const error_description = `the application must authenticate with client_secret_${method}`;
      expect(await ask(!isBasic, secret)).toMatchObject({
        status: 401,
        body: { error: "invalid_client", error_description },
      });
      // Without the secret, nothing is disclosed.
      for (const isInHeader of [true, false]) {
        const { status, body } = await ask(isInHeader, "wrong");
        expect([status, body.error_description]).toEqual([401, "client authentication failed"]);
      }
    },
  );

  test("a refresh token is issued only for offline_access, and ends thirty days after the sign-in", async () => {
    const plain = await signInAndRedeem(service, newBrowser(service), app, userId);
    expect(plain.refresh_token).toBeUndefined();
    const tokens = await signInAndRedeem(service, newBrowser(service), app, userId, { scope: "openid offline_access" });
    const refreshed = await post({ grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) });
    keepSecret(service, refreshed.body);
    const rows = await service.db
      .selectFrom("oidc_artifacts")
      .select(sql<number>`extract(epoch from expires_at - created_at)::int`.as("seconds"))
      .where("kind", "=", "RefreshToken")
      .orderBy("created_at", "desc")
      .limit(2)
      .execute();
    expect(rows.map(({ seconds }) => Math.round(seconds / 86_400))).toEqual([30, 30]);
    service.clockOffsetMs = 31 * 86_400_000;
    const late = await post({ grant_type: "refresh_token", refresh_token: refreshed.body.refresh_token });
    expect(late).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    service.clockOffsetMs = 0;
  });

  test("with idTokenUserinfoAssertion, the ID token has the claims of the granted scopes, and of no others", async () => {
    const party = await createRelyingParty(service, { id_token_userinfo_assertion: true });
    const signInWith = async (scope: string) =>
      (await signInAndRedeem(service, newBrowser(service), party, userId, { scope })).claims();
    const { email, ...claims } = { ...(await signInWith("openid email")) };
    expect([email, claims.email_verified]).toEqual([VERIFIED.email.email, true]);
    expect(claims).not.toHaveProperty("name");
    expect(await signInWith("openid profile")).toMatchObject({
      given_name: "Ada",
      preferred_username: expect.any(String),
    });
    expect(await signInWith("openid profile")).not.toHaveProperty("email");
    const tokens = await signInAndRedeem(service, newBrowser(service), party, userId, {
      scope: "openid email offline_access",
    });
    const grant = { grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
    const toClaims = ({ body }: { body: { id_token: string } }) => {
      keepSecret(service, body as never);
      return JSON.parse(Buffer.from(body.id_token.split(".")[1] ?? "", "base64url").toString());
    };
    expect(toClaims(await post(grant, { party }))).toMatchObject({ email: VERIFIED.email.email });
    expect(toClaims(await post({ ...grant, scope: "openid" }, { party }))).not.toHaveProperty("email");
    // By default, only userinfo has them.
    const usual = await signInAndRedeem(service, newBrowser(service), app, userId, { scope: "openid email" });
    expect(usual.claims()).not.toHaveProperty("email");
  });

  test("a refresh can request less, but not more", async () => {
    const scope = "openid email offline_access";
    const tokens = await signInAndRedeem(service, newBrowser(service), app, userId, { scope });
    const fields = { grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
    expect(await post({ ...fields, scope: "openid phone" })).toMatchObject({ body: { error: "invalid_scope" } });
    const less = await post({ ...fields, scope: "openid" });
    keepSecret(service, less.body);
    expect(less.body.scope).toBe("openid");
  });

  test("a token can be introspected by its application, and by applications of its organization that have a secret", async () => {
    const { access_token: token } = await signInAndRedeem(service, newBrowser(service), app, userId);
    const path = "/oauth/v2/introspect";
    expect((await post({ token }, { path })).body).toMatchObject({ active: true, sub: userId, client_id: app.id });
    const colleague = await createRelyingParty(service);
    expect((await post({ token }, { path, party: colleague })).body).toMatchObject({ active: true });
    const stranger = await createRelyingParty(service, { owner_id: await service.createOrg("org") });
    expect((await post({ token }, { path, party: stranger })).body).toEqual({ active: false });
    const open = await createRelyingParty(service, { auth_method: "none" });
    expect((await post({ token, client_id: open.id }, { path, party: open })).body).toEqual({ active: false });
    await client.tokenRevocation(app.configuration, token);
    expect((await post({ token }, { path })).body).toEqual({ active: false });
  });

  test("a JSON Web Token has the claims of RFC 9068, works at the userinfo endpoint, and ends when it is revoked", async () => {
    const party = await createRelyingParty(service, { access_token_type: "jwt" });
    const tokens = await signInAndRedeem(service, newBrowser(service), party, userId, {
      scope: "openid email offline_access",
    });
    const [header, payload] = tokens.access_token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(header).toMatchObject({ typ: "at+jwt", alg: "RS256" });
    expect(payload).toMatchObject({
      iss: service.config.publicUrl,
      sub: userId,
      aud: party.id,
      client_id: party.id,
      scope: "openid email offline_access",
    });
    expect(payload.exp - payload.iat).toBe(3_600);
    expect(await client.fetchUserInfo(party.configuration, tokens.access_token, userId)).toMatchObject({ sub: userId });
    await client.tokenRevocation(party.configuration, String(tokens.refresh_token));
    await expect(client.fetchUserInfo(party.configuration, tokens.access_token, userId)).rejects.toThrow();
  });

  test("a JSON Web Token is introspected and revoked like other tokens", async () => {
    const party = await createRelyingParty(service, { access_token_type: "jwt" });
    const signInAgain = () =>
      signInAndRedeem(service, newBrowser(service), party, userId, { scope: "openid offline_access" });
    const { access_token: token, refresh_token: refreshToken } = await signInAgain();
    const [path, revoke] = ["/oauth/v2/introspect", "/oauth/v2/revoke"];
    const { body } = await post({ token, token_type_hint: "access_token" }, { path, party });
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(body).toEqual({ active: true, ...claims, token_type: "Bearer" });
    expect(body).toMatchObject({ sub: userId, client_id: party.id, iss: service.config.publicUrl });

    // Who may introspect it, and who may not.
    expect((await post({ token }, { path })).body).toMatchObject({ active: true });
    const stranger = await createRelyingParty(service, { owner_id: await service.createOrg("strangers") });
    const open = await createRelyingParty(service, { auth_method: "none" });
    expect((await post({ token }, { path, party: stranger })).body).toEqual({ active: false });
    expect((await post({ token, client_id: open.id }, { path, party: open })).body).toEqual({ active: false });
    const wrong = { ...party, secret: "wrong" };
    for (const endpoint of [path, revoke]) {
      expect(await post({ token }, { path: endpoint, party: wrong })).toMatchObject({ status: 401 });
    }
    expect(await post({ token }, { path: revoke })).toEqual({ status: 200, body: {} });
    expect((await post({ token }, { path, party })).body).toMatchObject({ active: true });

    // Not our tokens: a modified one, and an ID token.
    const tokens = await signInAgain();
    for (const other of [`${token.slice(0, -4)}AAAA`, String(tokens.id_token)]) {
      expect(await post({ token: other }, { path, party })).toEqual({ status: 200, body: { active: false } });
      expect(await post({ token: other }, { path: revoke, party })).toEqual({ status: 200, body: {} });
    }

    expect(await post({ token }, { path: revoke, party })).toEqual({ status: 200, body: {} });
    expect((await post({ token }, { path, party })).body).toEqual({ active: false });
    await expect(client.fetchUserInfo(party.configuration, token, userId)).rejects.toThrow();
    const refresh = { grant_type: "refresh_token", refresh_token: String(refreshToken) };
    expect(await post(refresh, { party })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    // Another sign-in continues until it expires.
    expect((await post({ token: tokens.access_token }, { path, party })).body).toMatchObject({ active: true });
    service.clockOffsetMs = 3_601_000;
    expect((await post({ token: tokens.access_token }, { path, party })).body).toEqual({ active: false });
    service.clockOffsetMs = 0;
  });

  test.each(["locked", "inactive"] as const)("no token of a user who is %s works", async (state) => {
    const user = await importAda(service, VERIFIED);
    const tokens = await signInAndRedeem(service, newBrowser(service), app, user, { scope: "openid offline_access" });
    await service.db.updateTable("users").set({ state }).where("id", "=", user).execute();
    await expect(client.fetchUserInfo(app.configuration, tokens.access_token, user)).rejects.toThrow();
    const fields = { grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
    expect(await post(fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test("the database has no live secret of a sign-in, session or token", async () => {
    const browser = newBrowser(service);
    const began = await browser.open(createRequest(app).url.href);
    expect(began.location).toContain("/ui/sign-in/");
    await signInAndRedeem(service, browser, app, userId, { scope: "openid offline_access" });
    const secrets = browser.jar().map(([, value]) => service.secret(value));
    expect(secrets.length).toBeGreaterThan(3);
    // `close` searches every table and the log for them.
  });

  test("a body that is too large is rejected", async () => {
    const answer = await post({ grant_type: "x".repeat(100_000) });
    expect(answer).toMatchObject({ status: 413, body: { error: "invalid_request" } });
  });

  test("pages of the application's origins may call the endpoints, and others may not", async () => {
    const open = await createRelyingParty(service, {
      auth_method: "none",
      type: "spa",
      additional_origins: ["http://localhost:3000"],
    });
    const allowed = async (origin: string, { id } = open) => {
      const response = await fetch(`${service.origin}/oauth/v2/token`, {
        method: "POST",
        headers: { origin },
        body: new URLSearchParams({ client_id: id, grant_type: "authorization_code" }),
      });
      return response.headers.get("access-control-allow-origin");
    };
    expect(await allowed("https://app.example.com")).toBe("https://app.example.com");
    expect(await allowed("http://localhost:3000")).toBe("http://localhost:3000");
    expect(await allowed("https://evil.example.com")).toBeNull();
    const native = await createRelyingParty(service, {
      auth_method: "none",
      type: "native",
      redirect_uris: ["com.example.app:/callback"],
    });
    expect(await allowed("null", native)).toBeNull();
  });
});
