import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt } from "jose";
import * as client from "openid-client";
import { createId } from "../../src/crypto/secrets.ts";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import {
  createRelyingParty,
  createRequest,
  findRequest,
  newBrowser,
  type RelyingParty,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const ORIGIN = "https://app.example.com";
const EVERYTHING = "openid profile email offline_access";

describe("an application knows a user by the subject of the import", () => {
  let service: TestService;
  let app: RelyingParty;
  const subject = "auth0|5f7c8ec7c33c6c004bbafe82";
  let userId: string;
  let otherId: string;

  beforeAll(async () => {
    service = await startService("postgres");
    app = await createRelyingParty(service);
    userId = await importAda(service, { ...VERIFIED, subject });
    otherId = await importAda(service, { ...VERIFIED, subject: createId() });
  });
  afterAll(() => service?.close());

  const signInTo = (party: RelyingParty, parameters = {}, id = userId) =>
    signInAndRedeem(service, newBrowser(service), party, id, { scope: EVERYTHING, ...parameters });

  async function ask(path: string, init: RequestInit, origin?: string) {
    const headers = { ...(init.headers as Record<string, string>), ...(origin !== undefined && { origin }) };
    return (await fetch(service.origin + path, { ...init, headers })).json();
  }

  const introspect = ({ id, secret }: RelyingParty, token: string, origin?: string) =>
    ask(
      "/oauth/v2/introspect",
      {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
        body: new URLSearchParams({ token }),
      },
      origin,
    );

  test.each(["opaque", "jwt"] as const)("in tokens, userinfo and introspection, with %s tokens", async (format) => {
    const party = await createRelyingParty(service, { access_token_type: format });
    const tokens = await signInTo(party);
    expect(tokens.claims()?.sub).toBe(subject);
    const refreshed = await client.refreshTokenGrant(party.configuration, String(tokens.refresh_token));
    expect(refreshed.claims()?.sub).toBe(subject);
    const { access_token, refresh_token } = refreshed;
    if (format === "jwt") expect(decodeJwt(access_token).sub).toBe(subject);
    // With an origin, oidc-provider responds.
    for (const origin of [undefined, ORIGIN]) {
      const headers = { authorization: `Bearer ${access_token}` };
      expect(await ask("/oidc/v1/userinfo", { headers }, origin)).toMatchObject({ sub: subject });
      expect(await introspect(party, access_token, origin)).toMatchObject({ active: true, sub: subject });
      expect(await introspect(party, String(refresh_token), origin)).toMatchObject({ active: true, sub: subject });
    }
  });

  test("in the hint of a request, which the session of another user does not satisfy", async () => {
    const hint = String((await signInTo(app)).id_token);
    const browser = newBrowser(service);
    await signInAndRedeem(service, browser, app, userId);
    const silent = { prompt: "none", id_token_hint: hint };
    const own = await signIn(service, browser, createRequest(app, silent).url, userId);
    expect(own.searchParams.has("code")).toBe(true);
    const foreign = newBrowser(service);
    await signInAndRedeem(service, foreign, app, otherId);
    const refused = await signIn(service, foreign, createRequest(app, silent).url, otherId);
    expect(refused.searchParams.get("error")).toBe("login_required");
    const { location } = await foreign.open(String(createRequest(app, { id_token_hint: hint }).url));
    expect(await findRequest(service, foreign, location)).toMatchObject({ expectedUserId: userId });
  });

  test.each([
    ["the subject", () => subject, "code"],
    ["the id, which is not a subject", () => userId, "error"],
  ])("in the parameter claims: %s", async (_what, toValue, expected) => {
    const browser = newBrowser(service);
    await signInAndRedeem(service, browser, app, userId);
    const claims = JSON.stringify({ id_token: { sub: { value: toValue() } } });
    const { searchParams } = await signIn(service, browser, createRequest(app, { prompt: "none", claims }).url, userId);
    expect(searchParams.has(expected)).toBe(true);
  });

  test("in the parameter claims, which names the user who is asked to sign in; another one is rejected", async () => {
    const claims = (value: string) => ({ claims: JSON.stringify({ id_token: { sub: { value } } }) });
    const browser = newBrowser(service);
    const { location } = await browser.open(String(createRequest(app, claims(subject)).url));
    expect(await findRequest(service, browser, location)).toMatchObject({ expectedUserId: userId });
    const nobody = createRequest(app, claims("nobody"));
    const callback = await signIn(service, newBrowser(service), nobody.url, otherId);
    expect(callback.searchParams.get("error")).toBe("login_required");
  });

  test("in the hint of a sign-out, and in the logout token", async () => {
    const notified = await startNotified();
    const party = await createRelyingParty(service, {
      owner_id: service.instanceId,
      back_channel_logout_uri: notified.uri,
    });
    const browser = newBrowser(service);
    const { id_token } = await signInAndRedeem(service, browser, app, userId);
    await signInAndRedeem(service, browser, party, userId);
    const { pathname, search } = client.buildEndSessionUrl(app.configuration, { id_token_hint: String(id_token) });
    expect((await browser.open(pathname + search)).status).toBe(303);
    expect(notified.subjects).toEqual([subject]);

    await signInAndRedeem(service, browser, party, userId);
    const asked = await browser.open(client.buildEndSessionUrl(app.configuration).pathname);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(asked.text)?.[1] ?? "";
    await browser.post("/oidc/v1/end_session/confirm", { xsrf, logout: "yes" });
    expect(notified.subjects).toEqual([subject, subject]);
    notified.close();
  });

  test("in the logout token after the user was removed", async () => {
    const notified = await startNotified();
    const party = await createRelyingParty(service, {
      owner_id: service.instanceId,
      back_channel_logout_uri: notified.uri,
    });
    const id = await importAda(service, { ...VERIFIED, subject: "removed from" });
    await signInAndRedeem(service, newBrowser(service), party, id);
    await call(service, "RemoveUser", { id });
    await until("the application is notified", () => notified.subjects.length > 0);
    expect(notified.subjects).toEqual(["removed from"]);
    notified.close();
  });
});

/** An application's server, and the `sub` of each logout token that it has received. */
async function startNotified() {
  const subjects: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    subjects.push(decodeJwt(new URLSearchParams(body).get("logout_token") ?? "").sub);
    response.setHeader("connection", "close").end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { subjects, uri: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
