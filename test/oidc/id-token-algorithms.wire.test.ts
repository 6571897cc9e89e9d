import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import * as client from "openid-client";
import { rotateSigningKeys, SIGNING_ALGORITHMS } from "../../src/oidc/signing-keys.ts";
import { call } from "../support/browsers/visitor.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import {
  connectRelyingParty,
  createRelyingParty,
  createRequest,
  newBrowser,
  REDIRECT_URI,
  type RelyingParty,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

const ROTATED_MS = 11 * 60_000;

let service: TestService;
let userId: string;
beforeAll(async () => {
  ({ service, userId } = await startProvider("postgres"));
});
afterAll(() => service?.close());

type Algorithm = (typeof SIGNING_ALGORITHMS)[number];

/** Adds an application by the API, and connects a client that rejects ID tokens of other algorithms. */
async function addApp(algorithm: Algorithm, config: object = {}): Promise<RelyingParty> {
  const added = await call(service, "AddOIDCApp", {
    name: "Wiki",
    redirectUris: [REDIRECT_URI],
    ...(algorithm !== "RS256" && { idTokenSignedResponseAlg: toEnum(algorithm) }),
    ...config,
  });
  const { clientId: id, clientSecret: secret } = added as { clientId: string; clientSecret: string };
  return connect({ id, secret, redirectUri: REDIRECT_URI }, algorithm);
}

function connect(app: Omit<RelyingParty, "configuration">, id_token_signed_response_alg: Algorithm) {
  return connectRelyingParty(service, { ...app, metadata: { id_token_signed_response_alg } });
}

function toEnum(algorithm: Algorithm): string {
  return `OIDC_SIGNING_ALGORITHM_${algorithm.toUpperCase()}`;
}

async function verify(token: string, algorithm: Algorithm, audience: string) {
  const keys = (await (await fetch(`${service.origin}/oauth/v2/keys`)).json()) as JSONWebKeySet;
  const expected = { issuer: service.config.publicUrl, audience, algorithms: [algorithm] };
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), expected);
  return payload;
}

test.each(SIGNING_ALGORITHMS)("ID tokens of an application with %s, before and after a rotation", async (algorithm) => {
  const app = await addApp(algorithm, { accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const before = await signInAndRedeem(service, newBrowser(service), app, userId);
  await rotateSigningKeys({ ...service, clock: service.clock });
  service.clockOffsetMs += ROTATED_MS;
  // openid-client reads the keys again only after a minute.
  const reconnected = await connect(app, algorithm);
  const after = await signInAndRedeem(service, newBrowser(service), reconnected, userId);
  const tokens = [before, after].map(({ id_token }) => String(id_token));
  for (const token of tokens) expect(await verify(token, algorithm, app.id)).toMatchObject({ sub: userId });
  const [older, newer] = tokens.map((token) => decodeProtectedHeader(token).kid);
  expect(newer).not.toBe(older);
  // Access tokens are for APIs, which know nothing of the application.
  expect(decodeProtectedHeader(after.access_token).alg).toBe("RS256");
});

test("logout tokens have the algorithm of the application", async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push(new URLSearchParams(body).get("logout_token") ?? "");
    response.setHeader("connection", "close").end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const backChannelLogoutUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = newBrowser(service);
  const apps = new Map<string, Algorithm>();
  for (const idTokenSignedResponseAlg of SIGNING_ALGORITHMS) {
    const config = { idTokenSignedResponseAlg, backChannelLogoutUri };
    const { appId: id, clientSecret: secret } = await createTestApp(service, service.instanceId, {
      ...config,
      redirectUris: [REDIRECT_URI],
    });
    const app = await connectRelyingParty(service, { id, secret, redirectUri: REDIRECT_URI });
    await signInAndRedeem(service, browser, app, userId);
    apps.set(id, idTokenSignedResponseAlg);
  }
  const asking = await createRelyingParty(service);
  const { id_token } = await signInAndRedeem(service, browser, asking, userId);
  const { pathname, search } = client.buildEndSessionUrl(asking.configuration, { id_token_hint: String(id_token) });
  expect((await browser.open(pathname + search)).status).toBe(303);
  server.close();
  expect(received.map((token) => decodeProtectedHeader(token).alg).sort()).toEqual([...SIGNING_ALGORITHMS].sort());
  for (const token of received) {
    const id = String(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).aud);
    await verify(token, apps.get(id) ?? "RS256", id);
  }
});

test("ID tokens from before a change of the algorithm remain hints", async () => {
  const app = await addApp("RS256");
  const browser = newBrowser(service);
  const { id_token } = await signInAndRedeem(service, browser, app, userId);
  const config = { idTokenSignedResponseAlg: toEnum("EdDSA"), updateMask: "idTokenSignedResponseAlg" };
  await call(service, "PatchOIDCAppConfig", { appId: app.id, ...config });
  const { app: changed } = await call(service, "GetAppByID", { appId: app.id });
  expect(changed).toMatchObject({ oidcConfig: { idTokenSignedResponseAlg: "OIDC_SIGNING_ALGORITHM_EDDSA" } });

  const id_token_hint = String(id_token);
  const { url } = createRequest(app, { prompt: "none", id_token_hint });
  expect((await signIn(service, browser, url, userId)).searchParams.has("code")).toBe(true);
  const forged = createRequest(app, { prompt: "none", id_token_hint: `${id_token_hint.slice(0, -8)}AAAAAAAA` });
  expect((await signIn(service, browser, forged.url, userId)).searchParams.get("error")).toBe("invalid_request");
  const { pathname, search } = client.buildEndSessionUrl(app.configuration, { id_token_hint });
  expect((await browser.open(pathname + search)).status).toBe(303);

  const request = { appId: app.id, redirectUris: [REDIRECT_URI], idTokenSignedResponseAlg: toEnum("PS256") };
  await call(service, "UpdateOIDCAppConfig", request);
  const after = await signInAndRedeem(service, newBrowser(service), await connect(app, "PS256"), userId);
  expect(await verify(String(after.id_token), "PS256", app.id)).toMatchObject({ sub: userId });
});
