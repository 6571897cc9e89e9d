import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import * as client from "openid-client";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createTestApp, REDIRECT_URI } from "../support/oidc/apps.ts";
import {
  connectRelyingParty,
  createRelyingParty,
  createRequest,
  keepSecret,
  newBrowser,
  type RelyingParty,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const SIGNED_OUT = "https://app.example.com/signed-out";

let service: TestService;
let app: RelyingParty;
let userId: string;

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres", { app: { name: "Wiki & more" } }));
});
afterAll(() => service.close());

function logoutPath(parameters: Record<string, string>, { configuration } = app): string {
  const { pathname, search } = client.buildEndSessionUrl(configuration, parameters);
  return pathname + search;
}

async function isSignedIn(browser: ReturnType<typeof newBrowser>): Promise<boolean> {
  const callback = await signIn(service, browser, createRequest(app, { prompt: "none" }).url, userId);
  return callback.searchParams.has("code");
}

test("an application with a hint of the session's user signs out immediately", async () => {
  const browser = newBrowser(service);
  const tokens = await signInAndRedeem(service, browser, app, userId);
  const parameters = { id_token_hint: String(tokens.id_token), post_logout_redirect_uri: SIGNED_OUT, state: "s" };
  const response = await browser.open(logoutPath(parameters));
  expect([response.status, response.location]).toEqual([303, `${SIGNED_OUT}?state=s`]);
  expect(await isSignedIn(browser)).toBe(false);
  await expect(client.fetchUserInfo(app.configuration, tokens.access_token, userId)).rejects.toThrow();
});

test("an application may send the request by POST, and is redirected so that the browser sends its cookies", async () => {
  const browser = newBrowser(service);
  const tokens = await signInAndRedeem(service, browser, app, userId);
  const parameters = { id_token_hint: String(tokens.id_token), post_logout_redirect_uri: SIGNED_OUT, state: "s" };
  const posted = await browser.post("/oidc/v1/end_session", parameters);
  expect([posted.status, posted.location]).toEqual([303, `/oidc/v1/end_session?${new URLSearchParams(parameters)}`]);
  const response = await browser.open(posted.location);
  expect([response.status, response.location]).toEqual([303, `${SIGNED_OUT}?state=s`]);
  expect(await isSignedIn(browser)).toBe(false);
});

test("without a hint, the user is asked, and may stay signed in", async () => {
  const browser = newBrowser(service);
  await signInAndRedeem(service, browser, app, userId);
  const asked = await browser.open(
    logoutPath({ client_id: app.id, post_logout_redirect_uri: SIGNED_OUT, ui_locales: "de" }),
  );
  expect(asked.status).toBe(200);
  expect(asked.text).toContain("Wiki &amp; more möchte Sie abmelden");
  expect(asked.headers.get("content-security-policy")).not.toContain("form-action");
  const xsrf = /name="xsrf" value="(\w+)"/.exec(asked.text)?.[1] ?? "";
  const forged = await browser.post("/oidc/v1/end_session/confirm", { xsrf: "forged", logout: "yes" });
  expect(forged.status).toBe(400);
  expect(await isSignedIn(browser)).toBe(true);
  const again = await browser.open(logoutPath({ client_id: app.id, post_logout_redirect_uri: SIGNED_OUT }));
  const confirmed = await browser.post("/oidc/v1/end_session/confirm", {
    xsrf: /name="xsrf" value="(\w+)"/.exec(again.text)?.[1] ?? xsrf,
    logout: "yes",
  });
  expect([confirmed.status, confirmed.location]).toEqual([303, SIGNED_OUT]);
  expect(await isSignedIn(browser)).toBe(false);
});

/** OpenID Connect RP-Initiated Logout 1.0, section 4. */
test.each(["is not a token", "has a forged signature", "is of an application that is gone"])(
  "with a hint that %s, the user is asked, and not redirected to the application",
  async (problem) => {
    const browser = newBrowser(service);
    const party = await createRelyingParty(service);
    const { id_token = "" } = await signInAndRedeem(service, browser, party, userId);
    if (problem.endsWith("gone")) await service.db.deleteFrom("apps").where("id", "=", party.id).execute();
    const hint = { "is not a token": "hint", "has a forged signature": `${id_token.slice(0, -8)}AAAAAAAA` }[problem];
    const parameters = { id_token_hint: hint ?? id_token, post_logout_redirect_uri: SIGNED_OUT };
    const redirected = await browser.open(logoutPath(parameters, party));
    expect(redirected.status).toBe(303);
    const asked = await browser.open(redirected.location);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(asked.text)?.[1] ?? "";
    expect(await isSignedIn(browser)).toBe(true);
    const confirmed = await browser.post("/oidc/v1/end_session/confirm", { xsrf, logout: "yes" });
    expect(confirmed.location).toBe(`${service.config.publicUrl}/oidc/v1/end_session/success`);
    expect(await isSignedIn(browser)).toBe(false);
  },
);

test("a hint about another user signs no user out", async () => {
  const other = await importAda(service, VERIFIED);
  const foreign = await signInAndRedeem(service, newBrowser(service), app, other);
  const browser = newBrowser(service);
  await signInAndRedeem(service, browser, app, userId);
  expect((await browser.open(logoutPath({ id_token_hint: String(foreign.id_token) }))).status).toBe(200);
  expect(await isSignedIn(browser)).toBe(true);
});

test("a browser without a session is redirected immediately, but only to registered URLs", async () => {
  const response = await newBrowser(service).open(
    logoutPath({ client_id: app.id, post_logout_redirect_uri: SIGNED_OUT }),
  );
  expect([response.status, response.location]).toEqual([303, SIGNED_OUT]);
  const done = await newBrowser(service).open(logoutPath({}));
  expect(done.location).toBe(`${service.config.publicUrl}/oidc/v1/end_session/success`);
  expect((await newBrowser(service).open(done.location)).text).toContain("You are signed out");
  const evil = { client_id: app.id, post_logout_redirect_uri: "https://evil.example.com/" };
  expect((await newBrowser(service).open(logoutPath(evil))).status).toBe(400);
});

test("if the session cannot be looked up, the error is shown", async () => {
  const browser = newBrowser(service);
  const { id_token } = await signInAndRedeem(service, browser, app, userId);
  await sql`alter table oidc_artifacts rename to oidc_artifacts_away`.execute(service.db);
  try {
    const response = await browser.open(logoutPath({ id_token_hint: String(id_token) }));
    expect([response.status, response.text]).toEqual([500, expect.stringContaining("server_error")]);
  } finally {
    await sql`alter table oidc_artifacts_away rename to oidc_artifacts`.execute(service.db);
  }
  expect(await isSignedIn(browser)).toBe(true);
});

/** An application's server at a private address, and the logout tokens that it has received. */
async function startNotified() {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push(new URLSearchParams(body).get("logout_token") ?? "");
    response.setHeader("connection", "close").end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { received, server, back_channel_logout_uri: uri };
}

test("applications are notified of a sign-out; one of an organization not at a private address", async () => {
  const { received, server, back_channel_logout_uri } = await startNotified();
  const trusted = await createRelyingParty(service, { owner_id: service.instanceId, back_channel_logout_uri });
  const untrusted = await createRelyingParty(service, { back_channel_logout_uri });
  const browser = newBrowser(service);
  await signInAndRedeem(service, browser, untrusted, userId);
  const tokens = await signInAndRedeem(service, browser, trusted, userId);
  const { id_token } = await signInAndRedeem(service, browser, app, userId);
  expect((await browser.open(logoutPath({ id_token_hint: String(id_token) }))).status).toBe(303);
  server.close();
  expect(received).toHaveLength(1);
  expect(decodeJwt(received[0] ?? "")).toMatchObject({
    aud: trusted.id,
    sub: userId,
    sid: tokens.claims()?.sid,
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  });
});

test("an application that requests the sign-out is notified after the browser has returned", async () => {
  const { received, server, back_channel_logout_uri } = await startNotified();
  const party = await createRelyingParty(service, { owner_id: service.instanceId, back_channel_logout_uri });
  const browser = newBrowser(service);
  const tokens = await signInAndRedeem(service, browser, party, userId);
  expect((await browser.open(logoutPath({ id_token_hint: String(tokens.id_token) }, party))).status).toBe(303);
  expect(received).toEqual([]);
  await until("it is notified", async () => received.length > 0);
  server.close();
  expect(received.map((token) => decodeJwt(token))).toEqual([
    expect.objectContaining({ aud: party.id, sub: userId, sid: tokens.claims()?.sid }),
  ]);
});

test("with IDP_ALLOW_PRIVATE_NETWORKS, one of an organization is notified at a private address", async () => {
  const { received, server, back_channel_logout_uri } = await startNotified();
  const open = await startProvider("postgres", { environment: { IDP_ALLOW_PRIVATE_NETWORKS: "true" } });
  const config = { backChannelLogoutUri: back_channel_logout_uri, postLogoutRedirectUris: [SIGNED_OUT] };
  const { appId, clientSecret } = await createTestApp(open.service, open.service.orgId, config);
  const registered = { id: appId, secret: clientSecret, redirectUri: REDIRECT_URI };
  const notified = await connectRelyingParty(open.service, registered);
  const browser = newBrowser(open.service);
  await signInAndRedeem(open.service, browser, notified, open.userId);
  const tokens = await signInAndRedeem(open.service, browser, open.app, open.userId);
  expect((await browser.open(logoutPath({ id_token_hint: String(tokens.id_token) }, open.app))).status).toBe(303);
  server.close();
  expect(received.map((token) => decodeJwt(token).aud)).toEqual([appId]);
  await open.service.close();
});

test("all applications are notified of the end of more sessions than queries can wait at the same time", async () => {
  const SESSIONS = 400;
  const { received, server, back_channel_logout_uri } = await startNotified();
  const party = await createRelyingParty(service, { owner_id: service.instanceId, back_channel_logout_uri });
  const id = await importAda(service, VERIFIED);
  await sql`
    insert into oidc_artifacts (kind, key, payload, user_id, session_uid, created_at, expires_at)
    select 'Session', sha256(convert_to(uid, 'utf8')), jsonb_build_object('accountId', ${id}::text, 'authorizations',
        jsonb_build_object(${party.id}::text, jsonb_build_object('sid', uid))),
      ${id}::uuid, uid, now(), now() + interval '1 day'
    from (select 'session ' || number from generate_series(1, ${SESSIONS}::int) as number) as session (uid)`.execute(
    service.db,
  );
  await call(service, "EndUserSessions", { userId: id });
  await until("they are notified", () => received.length === SESSIONS);
  server.close();
  expect(new Set(received.map((token) => decodeJwt(token).sid)).size).toBe(SESSIONS);
});

test("the tokens of a notified application contain its session id, also as session_state", async () => {
  const back_channel_logout_uri = "https://app.example.com/back-channel";
  const party = await createRelyingParty(service, { back_channel_logout_uri });
  const browser = newBrowser(service);
  const tokens = await signInAndRedeem(service, browser, party, userId, { scope: "openid offline_access" });
  const sid = tokens.claims()?.sid;
  expect(sid).toEqual(expect.any(String));
  expect(tokens.session_state).toBe(sid);
  const refreshed = await client.refreshTokenGrant(party.configuration, String(tokens.refresh_token));
  keepSecret(service, refreshed);
  expect([refreshed.session_state, refreshed.claims()?.sid]).toEqual([sid, sid]);

  const others = await signInAndRedeem(service, browser, app, userId);
  expect(others).not.toHaveProperty("session_state");
  expect(others.claims()).not.toHaveProperty("sid");
});
