import { type CryptoKey, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from "jose";
import * as client from "openid-client";
import { createTestApp } from "../support/oidc/apps.ts";
import {
  connectRelyingParty,
  createRequest,
  keepSecret,
  newBrowser,
  REDIRECT_URI,
  type RelyingParty,
  signIn,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

/* FAPI 2.0 Security Profile. README.md has the complete list. */

let service: TestService;
let userId: string;
let app: RelyingParty;
let DPoP: client.DPoPHandle;
const keys: Record<string, CryptoKey> = {};

beforeAll(async () => {
  ({ service, userId } = await startProvider("postgres"));
  const jwks = { keys: [] as object[] };
  for (const alg of ["ES256", "PS256", "Ed25519", "RS256"]) {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    keys[alg] = privateKey;
    jwks.keys.push({ ...(await exportJWK(publicKey)), kid: alg, alg });
  }
  const { appId: id } = await createTestApp(service, service.orgId, {
    authMethod: "private_key_jwt",
    requiresPar: true,
    dpopBoundAccessTokens: true,
    idTokenSignedResponseAlg: "ES256",
    jwks: JSON.stringify(jwks),
    grantTypes: ["authorization_code", "refresh_token"],
    redirectUris: [REDIRECT_URI],
  });
  const key = { key: keys.ES256 as CryptoKey, kid: "ES256" };
  app = await connectRelyingParty(service, { id, secret: "unused", redirectUri: REDIRECT_URI }, () =>
    client.PrivateKeyJwt(key),
  );
  DPoP = client.getDPoPHandle(app.configuration, await client.randomDPoPKeyPair());
});
beforeEach(() => {
  service.clockOffsetMs = 0;
});
afterAll(() => service?.close());

async function obtainCode(parameters: Record<string, string> = {}) {
  const { url, checks } = createRequest(app, { scope: "openid offline_access", ...parameters });
  const pushed = await client.buildAuthorizationUrlWithPAR(app.configuration, url.searchParams, { DPoP });
  const callback = await signIn(service, newBrowser(service), pushed, userId);
  service.secret(callback.searchParams.get("code") ?? "");
  return { callback, checks: { ...checks, idTokenExpected: true } };
}

function redeem({ callback, checks }: Awaited<ReturnType<typeof obtainCode>>) {
  return client.authorizationCodeGrant(app.configuration, callback, checks, undefined, { DPoP });
}

/** Pushes a request that is valid without changes. */
async function push(claims: object = {}, parameters: Record<string, string | undefined> = {}, alg = "ES256") {
  const now = Math.floor(Date.now() / 1_000);
  const valid = { iss: app.id, sub: app.id, aud: service.config.publicUrl, jti: crypto.randomUUID(), exp: now + 60 };
  const client_assertion = await new SignJWT({ ...valid, iat: now, ...claims })
    .setProtectedHeader({ alg, kid: alg })
    .sign(keys[alg] as CryptoKey);
  const form = {
    ...Object.fromEntries(createRequest(app).url.searchParams),
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion,
    ...parameters,
  };
  const body = new URLSearchParams(
    Object.entries(form).filter((each): each is [string, string] => each[1] !== undefined),
  );
  const response = await fetch(`${service.origin}/oauth/v2/par`, { method: "POST", body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("an application with all three settings signs a user in", async () => {
  const nonce = "n".repeat(64);
  const code = await obtainCode({ nonce });
  expect(code.callback.searchParams.get("iss")).toBe(service.config.publicUrl);
  const tokens = await redeem({ ...code, checks: { ...code.checks, expectedNonce: nonce } });
  keepSecret(service, tokens);
  expect(tokens).toMatchObject({ token_type: "dpop", refresh_token: expect.any(String) });
  expect(decodeProtectedHeader(String(tokens.id_token)).alg).toBe("ES256");
});

test("a refresh token stays the same, and ends with its grant", async () => {
  const tokens = await redeem(await obtainCode());
  keepSecret(service, tokens);
  const refresh = () => client.refreshTokenGrant(app.configuration, String(tokens.refresh_token), undefined, { DPoP });
  for (let count = 0; count < 3; count++) {
    const refreshed = await refresh();
    keepSecret(service, refreshed);
    expect(refreshed.refresh_token).toBe(tokens.refresh_token);
    // Longer than a token that is replaced could be used again.
    service.clockOffsetMs += 60_000;
  }
  await client.tokenRevocation(app.configuration, String(tokens.refresh_token));
  await expect(refresh()).rejects.toMatchObject({ error: "invalid_grant" });
});

test("a code is of no use after a minute", async () => {
  const code = await obtainCode();
  service.clockOffsetMs = 60_000;
  await expect(redeem(code)).rejects.toMatchObject({ error: "invalid_grant" });
});

test("a pushed request is used within ten minutes", async () => {
  const { status, body } = await push();
  expect([status, Number(body.expires_in)]).toEqual([201, expect.any(Number)]);
  expect(Number(body.expires_in)).toBeLessThan(600);
});

const soon = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

test.each<[string, string, () => object]>([
  ["signed with PS256", "PS256", () => ({})],
  ["signed with Ed25519", "Ed25519", () => ({})],
  ["from a clock that is ten seconds ahead", "ES256", () => ({ iat: soon(10), nbf: soon(10) })],
])("an assertion %s is accepted", async (_, alg, claims) => {
  expect(await push(claims(), {}, alg)).toMatchObject({ status: 201 });
});

test.each<[string, string, () => object]>([
  ["for the token endpoint", "ES256", () => ({ aud: `${service.config.publicUrl}/oauth/v2/token` })],
  ["for the issuer in an array", "ES256", () => ({ aud: [service.config.publicUrl] })],
  ["signed with RS256", "RS256", () => ({})],
  ["issued more than a minute from now", "ES256", () => ({ iat: soon(90), exp: soon(200) })],
  ["valid more than a minute from now", "ES256", () => ({ nbf: soon(90), exp: soon(200) })],
])("an assertion %s is refused", async (_, alg, claims) => {
  expect(await push(claims(), {}, alg)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
});

test.each<[string, Record<string, string | undefined>, number, string]>([
  [
    "no authentication of the application",
    { client_assertion: undefined, client_assertion_type: undefined },
    401,
    "invalid_client",
  ],
  ["no code_challenge", { code_challenge: undefined, code_challenge_method: undefined }, 400, "invalid_request"],
  ["code_challenge_method plain", { code_challenge_method: "plain" }, 400, "invalid_request"],
  ["no redirect_uri", { redirect_uri: undefined }, 400, "invalid_request"],
  ["another redirect_uri", { redirect_uri: "http://app.example.com/callback" }, 400, "invalid_request"],
  ["response_type token", { response_type: "token" }, 400, "unsupported_response_type"],
])("a pushed request with %s is refused", async (_, parameters, status, error) => {
  expect(await push({}, parameters)).toMatchObject({ status, body: { error } });
});

test("the endpoint for authorization answers with 303, and not to scripts of other origins", async () => {
  const { request_uri } = (await push()).body;
  const query = new URLSearchParams({ client_id: app.id, request_uri: String(request_uri) });
  const response = await fetch(`${service.origin}/oauth/v2/authorize?${query}`, {
    headers: { origin: "https://app.example.com" },
    redirect: "manual",
  });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([303, null]);
});
