/** Signs users in to the applications in a folder, and with openid-client 6: `node check-relying-parties.ts <folder>`. */
import { equal, match, notEqual, ok } from "node:assert/strict";
import * as client from "openid-client";
import { createBrowser } from "../../support/browsers/browser.ts";
import { freePort } from "../../support/free-port.ts";
import { createSignet } from "../apis/signet-user.ts";
import { whileRunning } from "../while-running.ts";

const [folder = ""] = process.argv.slice(2);
const signet = createSignet();
const user = await signet.importUser();

await checkWithoutPkce("openid-client 5", "openid-client-5.cjs", "OIDC_AUTH_METHOD_TYPE_BASIC");
await checkWithoutPkce("passport-openidconnect", "passport.cjs", "OIDC_AUTH_METHOD_TYPE_POST");
await checkDpop();

async function checkWithoutPkce(title: string, file: string, authMethodType: string): Promise<void> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const redirectUri = `${origin}/signed-in`;
  const config = { authMethodType };
  const { clientId, clientSecret } = await signet.addApp(title, "OIDC_TOKEN_TYPE_BEARER", redirectUri, config);
  const env = {
    ...process.env,
    ...{ SIGNET_URL: signet.url, APP_ORIGIN: origin, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
  };
  const url = `http://127.0.0.1:${port}`;
  const program = { command: process.execPath, args: [file, String(port)], options: { cwd: folder, env }, url };
  await whileRunning(program, async () => {
    const browser = createBrowser(url, origin);
    const request = new URL((await browser.open("/sign-in")).location);
    ok(!request.searchParams.has("code_challenge"));
    const { pathname, search } = await signet.passSignIn(user, request);
    const { status, text } = await browser.open(pathname + search);
    equal(status, 200, text);
    const { sub, refreshed = sub, email } = JSON.parse(text);
    equal(sub, user.userId);
    equal(refreshed, user.userId);
    equal(email, `${user.userName}@example.com`);
  });
  console.log(`${title}: signs a user in without PKCE`);
}

async function checkDpop(): Promise<void> {
  const redirectUri = "https://orders.example.com/callback";
  const strict = { requiresPkce: true, requiresPar: true, dpopBoundAccessTokens: true };
  const app = await signet.addApp("openid-client 6", "OIDC_TOKEN_TYPE_JWT", redirectUri, strict);
  const options = { execute: [client.allowInsecureRequests] };
  const secret = client.ClientSecretBasic(app.clientSecret);
  const config = await client.discovery(new URL(signet.url), app.clientId, undefined, secret, options);
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const parameters = {
    ...{ redirect_uri: redirectUri, scope: "openid offline_access" },
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  };
  const request = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
  match(String(request.searchParams.get("request_uri")), /^urn:/);
  const callback = await signet.passSignIn(user, request);
  const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier }, undefined, { DPoP });
  equal(tokens.token_type, "dpop");
  equal(tokens.claims()?.sub, user.userId);
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, user.userId, { DPoP });
  equal(userinfo.sub, user.userId);
  const refreshed = await client.refreshTokenGrant(config, String(tokens.refresh_token), undefined, { DPoP });
  notEqual(refreshed.access_token, tokens.access_token);
  const bearer = await fetch(`${signet.url}/oidc/v1/userinfo`, {
    headers: { authorization: `Bearer ${refreshed.access_token}` },
  });
  equal(bearer.status, 401);
  console.log("openid-client 6: signs a user in with PAR and DPoP");
}
