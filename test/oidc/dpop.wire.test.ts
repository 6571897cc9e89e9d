import { hash } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type CryptoKey, calculateJwkThumbprint, decodeJwt, exportJWK, SignJWT } from "jose";
import * as client from "openid-client";
import { createCaller } from "../support/clients/callers.ts";
import {
  createRelyingParty,
  createRequest,
  keepSecret,
  newBrowser,
  REDIRECT_URI,
  type RelyingParty,
  type Request,
  signIn,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

let service: TestService;
let userId: string;
let app: RelyingParty;
/** A public application, whose tokens must be bound. */
let open: RelyingParty;
let keys: client.CryptoKeyPair;
let jkt: string;

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres"));
  open = await createRelyingParty(service, { auth_method: "none", dpop_bound_access_tokens: true });
  keys = await client.randomDPoPKeyPair();
  jkt = await calculateJwkThumbprint(await exportJWK(keys.publicKey));
});
beforeEach(() => {
  service.clockOffsetMs = 0;
});
afterAll(() => service?.close());

const handleOf = (party: RelyingParty, pair = keys) => client.getDPoPHandle(party.configuration, pair);

async function redeemCode(party: RelyingParty, { checks }: Request, callback: URL, DPoP?: client.DPoPHandle) {
  service.secret(callback.searchParams.get("code") ?? "");
  const given = { ...checks, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(party.configuration, callback, given, undefined, DPoP && { DPoP });
  keepSecret(service, tokens);
  return tokens;
}

async function signInTo(
  party: RelyingParty,
  parameters: Record<string, string>,
  DPoP: client.DPoPHandle | undefined,
): Promise<Awaited<ReturnType<typeof redeemCode>>> {
  const request = createRequest(party, { scope: "openid offline_access", ...parameters });
  return redeemCode(party, request, await signIn(service, newBrowser(service), request.url, userId), DPoP);
}

const signInBound = (party: RelyingParty, parameters: Record<string, string> = {}) =>
  signInTo(party, parameters, handleOf(party));

interface Proof {
  readonly htm?: string;
  readonly htu?: string;
  readonly ath?: string | undefined;
  readonly [claim: string]: unknown;
}

let count = 0;
/** A proof for userinfo (RFC 9449, section 4.2), which is valid without changes. */
async function prove(token: string, claims: Proof = {}, { privateKey, publicKey } = keys): Promise<string> {
  const valid = { jti: `${count++}`, htm: "GET", htu: `${service.config.publicUrl}/oidc/v1/userinfo` };
  const ath = hash("sha256", token, "base64url");
  return new SignJWT({ ...valid, iat: Math.floor(Date.now() / 1_000), ath, ...claims })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: await exportJWK(publicKey) })
    .sign(privateKey as CryptoKey);
}

async function askUserinfo(authorization: string, dpop?: string) {
  const headers = { authorization, ...(dpop !== undefined && { dpop }) };
  const response = await fetch(`${service.origin}/oidc/v1/userinfo`, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as JsonObject };
}

test("tokens are bound to the key of a proof, and of no use without it", async () => {
  expect(app.configuration.serverMetadata()).toMatchObject({
    dpop_signing_alg_values_supported: ["ES256", "Ed25519", "EdDSA"],
  });
  const { access_token: token, token_type } = await signInBound(app);
  expect(token_type).toBe("dpop");
  const DPoP = handleOf(app);
  expect(await client.fetchUserInfo(app.configuration, token, userId, { DPoP })).toMatchObject({ sub: userId });
  const introspected = await client.tokenIntrospection(app.configuration, token);
  expect(introspected).toMatchObject({ active: true, token_type: "DPoP", cnf: { jkt } });
  const stolen = await askUserinfo(`Bearer ${token}`);
  expect(stolen).toMatchObject({ status: 401, body: { error: "invalid_token" } });
  expect(stolen.headers.get("www-authenticate")).toMatch(/^DPoP .*algs="ES256 Ed25519 EdDSA"/);
});

test("a proof works once, for its token, method, address and key", async () => {
  const { access_token: token } = await signInBound(app);
  const other = await client.randomDPoPKeyPair();
  const { access_token: unbound } = await signInTo(app, {}, undefined);
  const wrong: [string, string, string][] = [
    ["another key", token, await prove(token, {}, other)],
    ["another method", token, await prove(token, { htm: "POST" })],
    ["another address", token, await prove(token, { htu: `${service.config.publicUrl}/oauth/v2/token` })],
    ["another host", token, await prove(token, { htu: "https://attacker.example/oidc/v1/userinfo" })],
    ["another token", token, await prove("other")],
    ["no token", token, await prove(token, { ath: undefined })],
    ["an old time", token, await prove(token, { iat: Math.floor(Date.now() / 1_000) - 400 })],
    ["a made-up nonce", token, await prove(token, { nonce: "made up" })],
    ["an unbound token", unbound, await prove(unbound)],
  ];
  for (const [name, sent, proof] of wrong) {
    expect([name, (await askUserinfo(`DPoP ${sent}`, proof)).status]).toEqual([name, 401]);
  }
  expect((await askUserinfo(`DPoP ${token}`)).status).toBe(400);
  expect((await askUserinfo(`Bearer ${token}`, await prove(token))).status).toBe(400);
  const proof = await prove(token);
  const answers = await Promise.all(Array.from({ length: 10 }, () => askUserinfo(`DPoP ${token}`, proof)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(401)]);
  // A proof of a clock that is five minutes ahead is valid for ten.
  service.clockOffsetMs = 9 * 60_000;
  await service.db.deleteFrom("oidc_artifacts").where("expires_at", "<=", service.clock()).execute();
  expect((await askUserinfo(`DPoP ${token}`, proof)).status).toBe(401);
});

test("nonces are offered, and a client whose clock is wrong has to use one", async () => {
  const { access_token: token } = await signInBound(app);
  const late = { iat: Math.floor(Date.now() / 1_000) - 3_600 };
  const refused = await askUserinfo(`DPoP ${token}`, await prove(token, late));
  expect(refused.body).toMatchObject({ error: "use_dpop_nonce" });
  const nonce = refused.headers.get("dpop-nonce");
  expect((await askUserinfo(`DPoP ${token}`, await prove(token, { ...late, nonce }))).status).toBe(200);
  // Pages can read the nonce.
  const preflight = { origin: new URL(REDIRECT_URI).origin, "access-control-request-method": "POST" };
  for (const path of ["token", "par"]) {
    const url = `${service.origin}/oauth/v2/${path}`;
    const allowed = await fetch(url, { method: "OPTIONS", headers: preflight });
    expect(allowed.headers.get("access-control-allow-origin")).toBe(preflight.origin);
    const { headers } = await fetch(url, { method: "POST", headers: { origin: preflight.origin } });
    expect(headers.get("access-control-expose-headers")).toContain("DPoP-Nonce");
  }
});

test("an application whose tokens must be bound gets none without a proof", async () => {
  const request = createRequest(open, { scope: "openid offline_access" });
  const callback = await signIn(service, newBrowser(service), request.url, userId);
  await expect(redeemCode(open, request, callback)).rejects.toMatchObject({ error: "invalid_grant" });
  expect((await signInBound(open)).token_type).toBe("dpop");
});

test("the refresh token of a public application is bound too", async () => {
  const tokens = await signInBound(open);
  const refresh = async (token: string, DPoP?: client.DPoPHandle) => {
    const refreshed = await client.refreshTokenGrant(open.configuration, token, undefined, DPoP && { DPoP });
    keepSecret(service, refreshed);
    return refreshed;
  };
  const first = String(tokens.refresh_token);
  await expect(refresh(first)).rejects.toMatchObject({ error: "invalid_grant" });
  const stranger = handleOf(open, await client.randomDPoPKeyPair());
  await expect(refresh(first, stranger)).rejects.toMatchObject({ error: "invalid_grant" });
  const second = await refresh(first, handleOf(open));
  expect(second.token_type).toBe("dpop");
  await expect(refresh(String(second.refresh_token), stranger)).rejects.toMatchObject({ error: "invalid_grant" });
  expect(await client.tokenIntrospection(open.configuration, String(second.refresh_token))).toMatchObject({
    active: true,
    cnf: { jkt },
  });
});

test("a code is bound to the key of its request", async () => {
  const request = createRequest(app, { dpop_jkt: jkt });
  const other = handleOf(app, await client.randomDPoPKeyPair());
  for (const DPoP of [undefined, other]) {
    const callback = await signIn(service, newBrowser(service), request.url, userId);
    await expect(redeemCode(app, request, callback, DPoP)).rejects.toMatchObject({ error: "invalid_grant" });
  }
});

test("a pushed request with a proof binds the code", async () => {
  const strict = await createRelyingParty(service, { requires_par: true, dpop_bound_access_tokens: true });
  const { url, checks } = createRequest(strict);
  const DPoP = handleOf(strict);
  const pushed = () => client.buildAuthorizationUrlWithPAR(strict.configuration, url.searchParams, { DPoP });
  const codeOf = async () => signIn(service, newBrowser(service), await pushed(), userId);
  expect((await redeemCode(strict, { url, checks }, await codeOf(), DPoP)).token_type).toBe("dpop");
  const other = handleOf(strict, await client.randomDPoPKeyPair());
  await expect(redeemCode(strict, { url, checks }, await codeOf(), other)).rejects.toMatchObject({
    error: "invalid_grant",
  });
});

test("a JSON Web Token has the key, also when it is introspected", async () => {
  const party = await createRelyingParty(service, { access_token_type: "jwt" });
  const { access_token: token } = await signInBound(party);
  expect(decodeJwt(token)).toMatchObject({ cnf: { jkt } });
  const basic = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString("base64")}`;
  // The second is answered by oidc-provider.
  for (const origin of [{}, { origin: "https://app.example.com" }]) {
    const response = await fetch(`${service.origin}/oauth/v2/introspect`, {
      method: "POST",
      headers: { authorization: basic, ...origin },
      body: new URLSearchParams({ token }),
    });
    expect(await response.json()).toMatchObject({ active: true, token_type: "DPoP", cnf: { jkt } });
  }
});

test("the API refuses a bound token", async () => {
  const party = await createRelyingParty(service, { api_access: true });
  const scope = "openid urn:signet:api";
  const listOwn = async (token: string) => {
    const caller = createCaller("rest", service, token);
    try {
      return await caller.call("ListMyMemberships", {});
    } finally {
      caller.close();
    }
  };
  const { access_token: unbound } = await signInTo(party, { scope }, undefined);
  expect(await listOwn(unbound)).toMatchObject({ ok: true });
  const { access_token: bound } = await signInBound(party, { scope });
  expect(await listOwn(bound)).toMatchObject({ ok: false, code: 16 });
});
