import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose";
import * as client from "openid-client";
import type { Browser } from "../support/browsers/browser.ts";
import {
  completeSignIn,
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

/*
 * What the conformance suite of the OpenID Foundation checks, and no other test. test/oidc/README.md has the complete
 * list.
 */

let service: TestService;
let app: RelyingParty;
let userId: string;
/** A browser in which the user is signed in. */
let browser: Browser;

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres"));
  browser = newBrowser(service);
  await signInAndRedeem(service, browser, app, userId);
});
beforeEach(() => {
  service.clockOffsetMs = 0;
});
afterAll(() => service?.close());

test("each row of the list names a test that exists", () => {
  const page = readFileSync(new URL("./README.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (module|clause) /.test(line));
  const missing = rows.filter((row) => {
    const [, title = "", name = ""] = /\| "([^|]+)", ([\w-]+) \|$/.exec(row) ?? [];
    return name === "" || !readFileSync(new URL(`${name}.wire.test.ts`, import.meta.url), "utf8").includes(title);
  });
  expect(missing).toEqual([]);
  expect(rows.length).toBeGreaterThan(120);
});

/** RFC 6749, section 5.1; OpenID Connect Core 1.0, sections 2 and 3.1.3.3. */
test("the response with the tokens is not cached, and its ID token has what it must have", async () => {
  const request = createRequest(app);
  const callback = await signIn(service, browser, request.url, userId);
  const response = await fetch(`${service.origin}/oauth/v2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString("base64")}` },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: service.secret(callback.searchParams.get("code") ?? ""),
      redirect_uri: app.redirectUri,
      code_verifier: request.checks.pkceCodeVerifier ?? "",
    }),
  });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const tokens = (await response.json()) as { access_token: string; token_type: string; id_token: string };
  keepSecret(service, tokens as never);
  expect(tokens.token_type).toBe("Bearer");
  const claims = decodeJwt(tokens.id_token);
  expect(claims).toMatchObject({ iss: service.config.publicUrl, aud: app.id, sub: userId });
  expect(claims.nonce).toBe(request.checks.expectedNonce);
  expect(claims.auth_time).toEqual(expect.any(Number));
  expect(Number(claims.exp)).toBeGreaterThan(Number(claims.iat));
});

/** OpenID Connect Core 1.0, section 10.1; Discovery 1.0, section 3. */
test("the published keys have an id each, and no private part", async () => {
  const tokens = await signInAndRedeem(service, browser, app, userId);
  const response = await fetch(`${service.origin}/oauth/v2/keys`);
  const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
  const ids = keys.map(({ kid }) => kid);
  expect(new Set(ids).size).toBe(keys.length);
  expect(ids).toContain(decodeProtectedHeader(String(tokens.id_token)).kid);
  const names = keys.flatMap((key) => Object.keys(key));
  expect(names.filter((name) => ["d", "p", "q", "dp", "dq", "qi", "k"].includes(name))).toEqual([]);
});

/** OpenID Connect Core 1.0, section 5.3.1; RFC 6750, sections 2.1 and 2.2. */
test.each(["GET with the header", "POST with the header", "POST with the body"])("userinfo by %s", async (how) => {
  const { access_token } = await signInAndRedeem(service, browser, app, userId);
  const [method = "", , , where = ""] = how.split(" ");
  const isHeader = where === "header";
  const response = await fetch(`${service.origin}/oidc/v1/userinfo`, {
    method,
    ...(isHeader && { headers: { authorization: `Bearer ${access_token}` } }),
    ...(!isHeader && { body: new URLSearchParams({ access_token }) }),
  });
  expect([response.status, await response.json()]).toEqual([200, { sub: userId }]);
});

/** RFC 6749, section 3.3; OpenID Connect Core 1.0, section 5.4. */
test.each(["openid profile email address phone", "phone address email profile openid"])(
  "the scopes %s, in any order",
  async (scope) => {
    const tokens = await signInAndRedeem(service, browser, app, userId, { scope });
    const userinfo = await client.fetchUserInfo(app.configuration, tokens.access_token, userId);
    expect(userinfo).toMatchObject({ sub: userId, name: "Ada Lovelace", email: "ada@example.com" });
  },
);

/** OpenID Connect Core 1.0, sections 3.1.2.1 and 5.2. */
test.each([{ display: "page" }, { display: "popup" }, { claims_locales: "se" }])(
  "a sign-in with the page and %j",
  async (parameters) => {
    const tokens = await signInAndRedeem(service, newBrowser(service), app, userId, parameters as never);
    expect(tokens.claims()?.sub).toBe(userId);
  },
);

/** RFC 6749, section 4.1.2. */
test("redeeming a code again after 30 seconds revokes its tokens", async () => {
  const request = createRequest(app);
  const callback = await signIn(service, browser, request.url, userId);
  const tokens = await redeem(service, app, callback, request);
  service.clockOffsetMs = 30_000;
  await expect(redeem(service, app, callback, request)).rejects.toMatchObject({ error: "invalid_grant" });
  await expect(client.fetchUserInfo(app.configuration, tokens.access_token, userId)).rejects.toThrow();
});

/** OpenID Connect Core 1.0, section 12.2. */
test("the ID token of a refresh is for the same user, application and sign-in", async () => {
  const tokens = await signInAndRedeem(service, browser, app, userId, { scope: "openid offline_access" });
  service.clockOffsetMs = 5_000;
  const refreshed = await client.refreshTokenGrant(app.configuration, String(tokens.refresh_token));
  keepSecret(service, refreshed);
  const { iss, sub, aud, auth_time, iat = 0 } = tokens.claims() ?? {};
  expect(refreshed.claims()).toMatchObject({ iss, sub, aud, auth_time });
  expect(Number(refreshed.claims()?.iat)).toBeGreaterThanOrEqual(iat);
});

/** The action and the fields of a page that posts a response. */
function readForm(page: string) {
  const action = /<form[^>]* action="([^"]*)"/.exec(page)?.[1];
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(fields.map(([, name, value]) => [name, value])) };
}

/** OAuth 2.0 Form Post Response Mode, section 2. */
test.each<[title: string, parameters: Record<string, string | undefined>, error: string]>([
  ["a code", {}, ""],
  ["a code after the page", { prompt: "login" }, ""],
  ["no state", { state: undefined }, ""],
  ["an unknown parameter", { extra: "foobar" }, ""],
  ["no response_type", { response_type: undefined }, "invalid_request"],
  ["prompt=none without a session", { prompt: "none" }, "login_required"],
  ["another user", { prompt: "none", claims: '{"id_token":{"sub":{"value":"other"}}}' }, "login_required"],
  ["an unsigned request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "invalid_request_object"],
  ["a request_uri", { request_uri: "https://app.example.com/r" }, "request_uri_not_supported"],
])("by form_post, the application gets what it gets by query: %s", async (title, parameters, error) => {
  const open = async (response_mode: string) => {
    const own = newBrowser(service);
    if (error === "" || title === "another user") await signInAndRedeem(service, own, app, userId);
    const request = createRequest(app, { response_mode });
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined) request.url.searchParams.delete(name);
      else request.url.searchParams.set(name, value);
    }
    return { own, request };
  };
  const byQuery = await open("query");
  const callback = await signIn(service, byQuery.own, byQuery.request.url, userId);
  const expected = Object.fromEntries(callback.searchParams);

  const { own, request } = await open("form_post");
  let response = await own.open(request.url.href);
  if (response.location.includes("/ui/sign-in/")) {
    response = await completeSignIn(service, own, response, userId);
  }
  expect([response.status, response.headers.get("cache-control")]).toEqual([error === "" ? 200 : 400, "no-store"]);
  const { action, fields } = readForm(response.text);
  expect(action).toBe(app.redirectUri);
  expect(Object.keys(fields).sort()).toEqual(Object.keys(expected).sort());
  expect(fields).toMatchObject({ iss: service.config.publicUrl, ...(error !== "" && { error }) });
  expect(fields.state ?? null).toBe(request.url.searchParams.get("state"));
  if (error !== "") return;
  const posted = new URL(`${app.redirectUri}?${new URLSearchParams(fields)}`);
  const { expectedState: _, ...stateless } = request.checks;
  const checks = fields.state === undefined ? stateless : request.checks;
  expect((await redeem(service, app, posted, { ...request, checks })).claims()?.sub).toBe(userId);
});

const SIGNED_OUT = "https://app.example.com/signed-out";

/** OpenID Connect RP-Initiated Logout 1.0, sections 2 to 4. */
describe("a sign-out", () => {
  let own: Browser;
  let hint: string;
  beforeEach(async () => {
    own = newBrowser(service);
    hint = String((await signInAndRedeem(service, own, app, userId)).id_token);
  });

  const request = (parameters: Record<string, string>) =>
    own.open(`/oidc/v1/end_session?${new URLSearchParams(parameters)}`);

  async function isSignedIn(): Promise<boolean> {
    const callback = await signIn(service, own, createRequest(app, { prompt: "none" }).url, userId);
    return callback.searchParams.has("code");
  }

  test.each<[string, Record<string, string>, string]>([
    ["with a state returns it", { post_logout_redirect_uri: SIGNED_OUT, state: "s" }, `${SIGNED_OUT}?state=s`],
    ["without a state returns none", { post_logout_redirect_uri: SIGNED_OUT }, SIGNED_OUT],
    ["without a URL ends on a page", { state: "s" }, "/oidc/v1/end_session/success"],
  ])("%s", async (_title, parameters, expected) => {
    const { location } = await request({ id_token_hint: hint, ...parameters });
    const { publicUrl } = service.config;
    expect(location.replace(publicUrl, "")).toBe(expected);
    expect(await isSignedIn()).toBe(false);
  });

  test.each<[string, Record<string, string>]>([
    ["nothing", {}],
    ["only a state", { state: "s" }],
    ["a URL, but no hint", { post_logout_redirect_uri: SIGNED_OUT, state: "s" }],
  ])(
    "with %s does not return to the application, and happens only after a confirmation",
    async (_title, parameters) => {
      const asked = await request(parameters);
      expect([asked.status, await isSignedIn()]).toEqual([200, true]);
      const xsrf = /name="xsrf" value="(\w+)"/.exec(asked.text)?.[1] ?? "";
      const confirmed = await own.post("/oidc/v1/end_session/confirm", { xsrf, logout: "yes" });
      expect(confirmed.location).toBe(`${service.config.publicUrl}/oidc/v1/end_session/success`);
      expect(await isSignedIn()).toBe(false);
    },
  );

  test.each([`${SIGNED_OUT}/other`, `${SIGNED_OUT}?foo=bar`])(
    "to the unregistered URL %s ends on an error page, and does not happen",
    async (post_logout_redirect_uri) => {
      const response = await request({ id_token_hint: hint, post_logout_redirect_uri, state: "s" });
      expect([response.status, response.location]).toEqual([400, ""]);
      expect(await isSignedIn()).toBe(true);
    },
  );

  test("with a hint that another key has signed does not return to the application", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const forged = await new SignJWT(decodeJwt(hint)).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
    const response = await request({ id_token_hint: forged, post_logout_redirect_uri: SIGNED_OUT });
    expect(response.location).not.toContain(SIGNED_OUT);
    expect(await isSignedIn()).toBe(true);
  });
});

/** OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.5. */
test("a logout token has all its claims, no nonce, and the key of the ID tokens", async () => {
  const received: { type: string | undefined; token: string }[] = [];
  const server = createServer(async (request, response) => {
    const token = new URLSearchParams(await text(request)).get("logout_token") ?? "";
    received.push({ type: request.headers["content-type"], token });
    response.setHeader("connection", "close").end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const back_channel_logout_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const party = await createRelyingParty(service, { owner_id: service.instanceId, back_channel_logout_uri });
  const own = newBrowser(service);
  const { id_token: idToken = "" } = await signInAndRedeem(service, own, party, userId);
  const { id_token: id_token_hint = "" } = await signInAndRedeem(service, own, app, userId);
  await own.open(`/oidc/v1/end_session?${new URLSearchParams({ id_token_hint })}`);
  server.close();
  const [{ type, token } = { type: "", token: "" }] = received;
  expect(type).toMatch(/^application\/x-www-form-urlencoded/);
  expect(decodeProtectedHeader(token)).toEqual({ ...decodeProtectedHeader(idToken), typ: "logout+jwt" });
  const { sid, sub, iss } = decodeJwt(idToken);
  expect(decodeJwt(token)).toEqual({
    ...{ iss, sub, sid, aud: party.id },
    iat: expect.any(Number),
    exp: expect.any(Number),
    jti: expect.any(String),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  });
});
