import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@bufbuild/protobuf";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { sql } from "kysely";
import * as client from "openid-client";
import { createCaller, type Rpc } from "../support/clients/callers.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import {
  completeSignIn,
  connectRelyingParty,
  createRelyingParty,
  createRequest,
  findRequest,
  newBrowser,
  REDIRECT_URI,
  type RelyingParty,
  type Request,
  redeem,
  signIn,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

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

/** Pushes a request (RFC 9126). The URL has only the client id and the reference. */
async function push(party: RelyingParty, parameters: Record<string, string> = {}): Promise<Request> {
  const { url, checks } = createRequest(party, parameters);
  return { url: await client.buildAuthorizationUrlWithPAR(party.configuration, url.searchParams), checks };
}

/** The parameters of an error or a code, at the application or on the provider's own page. */
async function outcomeOf(url: URL) {
  const { location, status, text } = await newBrowser(service).open(url.href);
  const { searchParams, origin } = new URL(location, service.config.publicUrl);
  return { status, text, error: searchParams.get("error"), isAtApp: origin === new URL(REDIRECT_URI).origin };
}

async function pushForm(form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.origin}/oauth/v2/par`, {
    method: "POST",
    headers,
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: await response.json() };
}

const basicOf = ({ id, secret }: RelyingParty) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});

test("a user signs in with a pushed request", async () => {
  expect(app.configuration.serverMetadata()).toMatchObject({
    pushed_authorization_request_endpoint: `${service.config.publicUrl}/oauth/v2/par`,
    request_uri_parameter_supported: false,
  });
  const request = await push(app, { scope: "openid offline_access" });
  expect([...request.url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);
  const tokens = await redeem(service, app, await signIn(service, newBrowser(service), request.url, userId), request);
  expect(tokens.claims()).toMatchObject({ sub: userId });
  expect(tokens.refresh_token).toBeDefined();
});

test("an application that requires pushed requests cannot sign users in with others", async () => {
  const strict = await createRelyingParty(service, { requires_par: true });
  expect(await outcomeOf(createRequest(strict).url)).toMatchObject({ error: "invalid_request" });
  const request = await push(strict);
  const tokens = await redeem(
    service,
    strict,
    await signIn(service, newBrowser(service), request.url, userId),
    request,
  );
  expect(tokens.claims()).toMatchObject({ sub: userId });
});

test("the API requires pushed requests and DPoP of an application, and no longer", async () => {
  const caller = createCaller("grpc", service, service.adminToken);
  const call = async (rpc: Rpc, request: JsonObject) => {
    const outcome = await caller.call(rpc, request);
    if (!outcome.ok) throw new Error(`${rpc}: ${outcome.message}`);
    return outcome.message;
  };
  const redirectUris = [REDIRECT_URI];
  const both = { requiresPar: true, dpopBoundAccessTokens: true };
  const { appId = "" } = await call("AddOIDCApp", { name: "Wiki", redirectUris, ...both });
  const configOf = async () => ((await call("GetAppByID", { appId })).app as JsonObject).oidcConfig;
  expect(await configOf()).toMatchObject(both);
  await call("PatchOIDCAppConfig", { appId, requiresPar: false, updateMask: "requiresPar" });
  expect(await configOf()).not.toHaveProperty("requiresPar");
  expect(await configOf()).toMatchObject({ dpopBoundAccessTokens: true });
  await call("UpdateOIDCAppConfig", { appId, redirectUris, requiresPar: true });
  expect(await configOf()).toMatchObject({ requiresPar: true });
  expect(await configOf()).not.toHaveProperty("dpopBoundAccessTokens");
  const events = service.db.selectFrom("events").select("payload").where("aggregate_id", "=", String(appId));
  expect((await events.orderBy("sequence").execute()).map(({ payload }) => payload)).toMatchObject([
    both,
    { requiresPar: false, dpopBoundAccessTokens: true },
    { requiresPar: true, dpopBoundAccessTokens: false },
  ]);
  caller.close();
});

test("a pushed request leads to one code, also if two sign-ins began with it and end after an hour", async () => {
  const { url } = await push(app);
  const browsers = [newBrowser(service), newBrowser(service)];
  const pages = await Promise.all(browsers.map((browser) => browser.open(url.href)));
  expect(pages.map(({ location }) => location.includes("/ui/sign-in/"))).toEqual([true, true]);
  // The request has expired, but not the sign-ins.
  service.clockOffsetMs = 59 * 60_000;
  const ends = await Promise.all(
    browsers.map((each, index) => completeSignIn(service, each, pages[index] as never, userId)),
  );
  const errors = ends.map(({ location }) => new URL(location).searchParams.get("error"));
  expect(errors.sort()).toEqual(["invalid_request_uri", null].sort());
  expect(await outcomeOf(url)).toMatchObject({ status: 400, isAtApp: false });
});

test("a sign-in that outlives its pushed request fails", async () => {
  const { url } = await push(app);
  const browser = newBrowser(service);
  const page = await browser.open(url.href);
  await service.db.deleteFrom("oidc_artifacts").where("kind", "=", "PushedAuthorizationRequest").execute();
  const { location } = await completeSignIn(service, browser, page, userId);
  expect(new URL(location).searchParams.get("error")).toBe("invalid_request_uri");
});

test("a pushed request is of no use to another application, after a minute, or if it is unknown", async () => {
  const { url } = await push(app);
  const foreign = new URL(url);
  foreign.searchParams.set("client_id", (await createRelyingParty(service)).id);
  expect(await outcomeOf(foreign)).toMatchObject({ status: 400, isAtApp: false });
  expect(await outcomeOf(url)).toMatchObject({ status: 303, error: null });
  await sql`update oidc_artifacts set payload = jsonb_set(payload, '{exp}', '1000')
    where kind = 'PushedAuthorizationRequest'`.execute(service.db);
  expect(await outcomeOf(url)).toMatchObject({ status: 400, isAtApp: false });
  url.searchParams.set("request_uri", "urn:ietf:params:oauth:request_uri:unknown");
  expect(await outcomeOf(url)).toMatchObject({ status: 400, isAtApp: false });
  url.searchParams.set("request_uri", "https://app.example.com/request.jwt");
  expect(await outcomeOf(url)).toMatchObject({ status: 400, isAtApp: false });
});

describe("a pushed request passes the checks of other requests", () => {
  const other = "00000000-0000-4000-8000-000000000000";

  test.each<[string, Record<string, string>, string]>([
    ["redirect URI", { redirect_uri: "https://attacker.example/callback" }, "invalid_request"],
    ["PKCE", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    ["prompt", { prompt: "none login" }, "invalid_request"],
    ["organization", { scope: `openid urn:signet:org:id:${other}` }, "invalid_scope"],
    ["API access", { scope: "openid urn:signet:api" }, "invalid_scope"],
    ["nesting of claims", { claims: `{"userinfo":${'{"a":'.repeat(30)}1${"}".repeat(31)}` }, "invalid_request"],
    ["reference to another", { request_uri: "urn:ietf:params:oauth:request_uri:other" }, "request_uri_not_supported"],
    ["size", { login_hint: "a".repeat(9_000) }, "invalid_request"],
    ["hint", { id_token_hint: "forged" }, "invalid_request"],
  ])("%s", async (_name, parameters, error) => {
    const { searchParams } = createRequest(await createRelyingParty(service, { auth_method: "none" }), parameters).url;
    expect(await pushForm(Object.fromEntries(searchParams))).toMatchObject({ body: { error } });
  });

  test("the parameters in the URL do not count", async () => {
    const ofInstance = await createRelyingParty(service, { owner_id: await instanceId() });
    const { url } = await push(ofInstance, { scope: `openid urn:signet:org:id:${service.orgId}`, idp_hint: "acme" });
    const orgId = await service.createOrg("Other");
    const attacked = { scope: `openid urn:signet:api urn:signet:org:id:${orgId}`, idp_hint: "evil", prompt: "none" };
    for (const [name, value] of Object.entries({ ...attacked, signet_org_id: orgId, login_hint: "mallory" })) {
      url.searchParams.set(name, value);
    }
    const browser = newBrowser(service);
    const { location } = await browser.open(url.href);
    expect(await findRequest(service, browser, location)).toMatchObject({
      org: { id: service.orgId },
      idpHint: "acme",
      loginHint: undefined,
    });
  });

  test("an application without a right to an organization cannot push it as a parameter", async () => {
    const orgId = await service.createOrg("Third");
    const { url } = await push(app, { signet_org_id: orgId });
    const browser = newBrowser(service);
    const { location } = await browser.open(url.href);
    expect(await findRequest(service, browser, location)).toMatchObject({ org: { id: service.orgId } });
  });

  test("acr, prompt and an existing session", async () => {
    const browser = newBrowser(service);
    await signIn(service, browser, createRequest(app).url, userId);
    const open = async (parameters: Record<string, string>) => {
      const { location } = await browser.open((await push(app, parameters)).url.href);
      return new URL(location, service.config.publicUrl);
    };
    expect((await open({})).searchParams.get("code")).not.toBeNull();
    expect((await open({ prompt: "login" })).pathname).toContain("/ui/sign-in/");
    const strong = await open({ prompt: "none", acr_values: "urn:signet:acr:2" });
    expect(strong.searchParams.get("error")).toBe("unmet_authentication_requirements");
  });
});

test("an application authenticates itself when it pushes a request", async () => {
  const form = Object.fromEntries(createRequest(app).url.searchParams);
  expect(await pushForm(form)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  expect(await pushForm(form, basicOf(app))).toMatchObject({ status: 201, body: { expires_in: 60 } });
});

async function instanceId(): Promise<string> {
  return (await service.db.selectFrom("instance").select("id").executeTakeFirstOrThrow()).id;
}

/** RFC 9101. */
describe("request objects", () => {
  const kid = "key";
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let signing: RelyingParty;
  const authenticate = () => client.PrivateKeyJwt({ key: keys.privateKey, kid });

  beforeAll(async () => {
    keys = await generateKeyPair("ES256", { extractable: true });
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid }] });
    const config = { authMethod: "private_key_jwt" as const, redirectUris: [REDIRECT_URI], jwks };
    const { appId } = await createTestApp(service, service.orgId, config);
    signing = await connectRelyingParty(service, { id: appId, secret: "-", redirectUri: REDIRECT_URI }, authenticate);
  });

  const sign = (claims: Record<string, unknown>, key = keys.privateKey) =>
    new SignJWT({ iss: signing.id, aud: service.config.publicUrl, client_id: signing.id, ...claims })
      .setProtectedHeader({ alg: "ES256", kid })
      .sign(key);

  const claimsOf = ({ url }: Request) => Object.fromEntries(url.searchParams);

  function urlOf(object: string, party = signing, parameters: Record<string, string> = {}): URL {
    const url = new URL(createRequest(party).url);
    url.search = String(new URLSearchParams({ client_id: party.id, request: object, ...parameters }));
    return url;
  }

  test("a user signs in with a signed request, which may also be pushed", async () => {
    expect(signing.configuration.serverMetadata()).toMatchObject({ request_parameter_supported: true });
    for (const isPushed of [false, true]) {
      const request = createRequest(signing);
      const key = { key: keys.privateKey, kid };
      const url = await client.buildAuthorizationUrlWithJAR(signing.configuration, request.url.searchParams, key);
      const sent = isPushed ? await client.buildAuthorizationUrlWithPAR(signing.configuration, url.searchParams) : url;
      const callback = await signIn(service, newBrowser(service), sent, userId);
      expect((await redeem(service, signing, callback, request)).claims()).toMatchObject({ sub: userId });
    }
  });

  test("only the parameters in the object count", async () => {
    const orgId = await service.createOrg("Fourth");
    const claims = { ...claimsOf(createRequest(signing)), signet_org_id: orgId };
    const object = await sign({ ...claims, login_hint: "ada" });
    const browser = newBrowser(service);
    const url = urlOf(object, signing, { scope: `urn:signet:org:id:${orgId}`, login_hint: "mallory", prompt: "none" });
    const { location } = await browser.open(url.href);
    expect(await findRequest(service, browser, location)).toMatchObject({
      org: { id: service.orgId },
      loginHint: "ada",
    });
    const ofOther = await sign({ ...claimsOf(createRequest(signing)), scope: `openid urn:signet:org:id:${orgId}` });
    expect(await outcomeOf(urlOf(ofOther))).toMatchObject({ error: "invalid_scope" });
  });

  test("an object is refused without a valid signature of a registered key", async () => {
    const claims = claimsOf(createRequest(signing));
    const { privateKey } = await generateKeyPair("ES256");
    const unsigned = { iss: signing.id, aud: service.config.publicUrl, ...claims };
    const objects = [
      await sign(claims, privateKey),
      new UnsecuredJWT(unsigned).encode(),
      await sign({ ...claims, aud: "https://other.example" }),
      await sign({ ...claims, exp: 1 }),
      "text",
    ];
    for (const object of objects) {
      const { redirect_uri = "" } = claims;
      expect(await outcomeOf(urlOf(object, signing, { redirect_uri }))).toMatchObject({
        error: "invalid_request_object",
      });
    }
    // An application without keys.
    const ofApp = await new SignJWT({ ...claims, iss: app.id, client_id: app.id, aud: service.config.publicUrl })
      .setProtectedHeader({ alg: "ES256" })
      .sign(privateKey);
    const refused = await outcomeOf(urlOf(ofApp, app, { redirect_uri: REDIRECT_URI }));
    expect(refused).toMatchObject({ error: "invalid_request_object" });
  });

  test("an object that cannot be stored or converted is refused with 400", async () => {
    const claims = claimsOf(createRequest(signing));
    const [nul, surrogate] = [await sign({ ...claims, state: "a\0b" }), await sign({ ...claims, nonce: "\ud800" })];
    // Without a signature, it is as deep as a URL can be long.
    const deep = `{"claims":{"a":${"[".repeat(5_500)}${"]".repeat(5_500)}}}`;
    for (const object of [nul, surrogate, `e30.${Buffer.from(deep).toString("base64url")}.`]) {
      expect(await outcomeOf(urlOf(object))).toMatchObject({ status: 400 });
    }
    const pushed = client.buildAuthorizationUrlWithPAR(signing.configuration, { request: nul });
    await expect(pushed).rejects.toMatchObject({ status: 400, error: "invalid_request" });
  });

  test("an empty parameter counts as none", async () => {
    const { url } = createRequest(app);
    url.searchParams.set("request", "");
    expect(await outcomeOf(url)).toMatchObject({ status: 303, error: null });
    expect(await pushForm(Object.fromEntries(url.searchParams), basicOf(app))).toMatchObject({ status: 201 });
  });

  test("keys at a URL verify pushed objects only", async () => {
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid }] });
    const publisher = createServer((_request, response) => response.end(jwks));
    await new Promise<void>((resolve) => publisher.listen(0, "127.0.0.1", resolve));
    try {
      const jwksUri = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/`;
      const config = { authMethod: "private_key_jwt" as const, redirectUris: [REDIRECT_URI], jwksUri };
      const { appId: id } = await createTestApp(service, await instanceId(), config);
      const party = await connectRelyingParty(service, { ...signing, id }, authenticate);
      const request = createRequest(party);
      const object = await sign({ ...claimsOf(request), client_id: id, iss: id });
      const refused = await outcomeOf(urlOf(object, party, { redirect_uri: REDIRECT_URI }));
      expect(refused).toMatchObject({ error: "invalid_request_object" });
      const pushed = await client.buildAuthorizationUrlWithPAR(party.configuration, { request: object });
      const callback = await signIn(service, newBrowser(service), pushed, userId);
      expect((await redeem(service, party, callback, request)).claims()).toMatchObject({ sub: userId });
    } finally {
      publisher.close();
    }
  });
});
