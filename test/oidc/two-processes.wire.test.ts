import { createHash } from "node:crypto";
import { exportJWK, SignJWT } from "jose";
import * as client from "openid-client";
import { createPerson, type Page, type Person } from "../support/browsers/person.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";

const processes = createProcesses();
const PUBLIC_URL = "http://localhost:8080";
const REDIRECT_URI = "https://app.example.com/callback";
const LOGIN = { username: "ada", password: "analytical engine no. 1" };

/** Two processes on one database, behind the same PUBLIC_URL. */
let first: TestServer;
let second: TestServer;
let userId: string;
/** The application, as a client that sends its requests to one of the processes. */
let atFirst: client.Configuration;
let atSecond: client.Configuration;
let keys: client.CryptoKeyPair;

beforeAll(async () => {
  const { variables, tokenFile } = await processes.createInstallation("shared");
  first = await processes.serve(variables);
  second = await processes.serve(variables);
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${readToken(tokenFile)}`, "content-type": "application/json" };
    const response = await fetch(first.origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const app = await call("/management/v1/apps/oidc", {
    ...{ name: "Wiki", redirectUris: [REDIRECT_URI], requiresPar: true, dpopBoundAccessTokens: true },
  });
  const user = await call("/management/v1/users/human/_import", {
    ...{ userName: LOGIN.username, password: LOGIN.password, profile: { firstName: "Ada", lastName: "Lovelace" } },
    email: { email: "ada@example.com", isEmailVerified: true },
  });
  userId = String(user.userId);
  const connect = ({ origin }: TestServer) =>
    client.discovery(new URL(PUBLIC_URL), String(app.clientId), {}, client.ClientSecretBasic(app.clientSecret), {
      [client.customFetch]: (url, options) => fetch(url.replace(PUBLIC_URL, origin), options as RequestInit),
      execute: [client.allowInsecureRequests],
    });
  [atFirst, atSecond] = [await connect(first), await connect(second)];
  keys = await client.randomDPoPKeyPair();
});
afterAll(() => processes.close());

/** Pushes a request to the first process. */
async function push() {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const parameters = {
    ...{ redirect_uri: REDIRECT_URI, scope: "openid" },
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  };
  const DPoP = client.getDPoPHandle(atFirst, keys);
  return { url: await client.buildAuthorizationUrlWithPAR(atFirst, parameters, { DPoP }), pkceCodeVerifier };
}

const personAt = ({ origin }: TestServer) =>
  createPerson({ origin, config: { publicUrl: PUBLIC_URL }, responses: [] }, "127.0.0.1");

/** Signs the user in on a page. Returns the response to the application. */
async function signIn(person: Person, start: Page): Promise<URL> {
  let page = await person.submit(start, LOGIN);
  // The page that offers a passkey.
  if (page.url.origin === PUBLIC_URL) page = await person.submit(page, { do: "later" });
  return page.url;
}

test("a request that was pushed to one process leads to one code, at any", async () => {
  const { url, pkceCodeVerifier } = await push();
  const [early, late] = [personAt(second), personAt(first)];
  const [earlyPage, latePage] = [await early.open(url), await late.open(url)];
  const callback = await signIn(early, earlyPage);
  const refused = await signIn(late, latePage);
  expect([refused.searchParams.get("code"), refused.searchParams.get("error")]).toEqual([null, "invalid_request_uri"]);
  const DPoP = client.getDPoPHandle(atFirst, keys);
  const tokens = await client.authorizationCodeGrant(atFirst, callback, { pkceCodeVerifier }, undefined, { DPoP });
  expect([tokens.token_type, tokens.claims()?.sub]).toEqual(["dpop", userId]);
});

test("a proof is used once, at any process, and each accepts the nonces of the other", async () => {
  const { url, pkceCodeVerifier } = await push();
  const person = personAt(second);
  const callback = await signIn(person, await person.open(url));
  const DPoP = client.getDPoPHandle(atSecond, keys);
  const tokens = await client.authorizationCodeGrant(atSecond, callback, { pkceCodeVerifier }, undefined, { DPoP });
  const token = processes.secret(tokens.access_token);

  const prove = async (claims: object) =>
    new SignJWT({
      ...{ htm: "GET", htu: `${PUBLIC_URL}/oidc/v1/userinfo`, iat: Math.floor(Date.now() / 1_000) },
      ath: createHash("sha256").update(token).digest("base64url"),
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: await exportJWK(keys.publicKey) })
      .sign(keys.privateKey as CryptoKey);
  const ask = ({ origin }: TestServer, dpop: string) =>
    fetch(`${origin}/oidc/v1/userinfo`, { headers: { authorization: `DPoP ${token}`, dpop } });

  const once = await prove({ jti: "in turn" });
  expect([(await ask(first, once)).status, (await ask(second, once)).status]).toEqual([200, 401]);

  const race = await prove({ jti: "at the same time" });
  const answers = await Promise.all([first, second, first, second, first, second].map((server) => ask(server, race)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);

  // Its clock is wrong, so it must use a nonce.
  const late = { iat: Math.floor(Date.now() / 1_000) - 3_600 };
  const refused = await ask(first, await prove({ ...late, jti: "without a nonce" }));
  const nonce = refused.headers.get("dpop-nonce");
  expect([refused.status, nonce]).toEqual([401, expect.any(String)]);
  expect((await ask(second, await prove({ ...late, jti: "with a nonce", nonce }))).status).toBe(200);
});
