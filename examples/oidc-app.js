// An application whose users sign in with Signet: `node examples/oidc-app.js <file>`, where the file is the output of
// `signet app create --json`. It serves http://localhost:3000 and shows the claims of the user who signed in.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as client from "openid-client";

const { clientId, clientSecret } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const issuer = new URL(process.env.SIGNET_URL ?? "http://localhost:8080");
const port = Number(process.env.APP_PORT ?? 3000);
const origin = `http://localhost:${port}`;

// Reads the endpoints and keys from /.well-known/openid-configuration. Use HTTP without TLS only on the local machine.
const config = await client.discovery(issuer, clientId, clientSecret, undefined, {
  execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [],
});

/** The values to check when the browser returns, by the value of its cookie. A real application uses sessions. */
const attempts = new Map();

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", origin);
  try {
    if (url.pathname === "/signed-in") return show(response, await finish(request, url));
    if (url.pathname === "/sign-in") return begin(response);
    send(response, '<a href="/sign-in">Sign in</a>');
  } catch (error) {
    console.error(error);
    response.statusCode = 400;
    send(response, '<p>The sign-in failed.</p><a href="/sign-in">Try again</a>');
  }
});
server.listen(port, "localhost", () => console.log(`open ${origin}`));

/** Sends the browser to Signet. */
async function begin(response) {
  const [id, codeVerifier] = [randomBytes(16).toString("base64url"), client.randomPKCECodeVerifier()];
  const attempt = { codeVerifier, state: client.randomState(), nonce: client.randomNonce() };
  attempts.set(id, attempt);
  const location = client.buildAuthorizationUrl(config, {
    redirect_uri: `${origin}/signed-in`,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  response
    .writeHead(303, { location: location.href, "set-cookie": `attempt=${id}; HttpOnly; SameSite=Lax; Path=/` })
    .end();
}

/** Redeems the code from the callback. Returns the claims of the ID token. */
async function finish(request, url) {
  const id = /(?:^|; )attempt=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1];
  const attempt = attempts.get(id);
  attempts.delete(id);
  if (attempt === undefined) throw new Error("the sign-in began in another browser");
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: attempt.codeVerifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
  });
  const { sub } = tokens.claims();
  return await client.fetchUserInfo(config, tokens.access_token, sub);
}

function show(response, claims) {
  const json = JSON.stringify(claims, undefined, 2).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  send(response, `<p>You are signed in.</p><pre>${json}</pre>`);
}

function send(response, body) {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(`<!doctype html><html lang="en"><title>An application</title>${body}</html>\n`);
}
