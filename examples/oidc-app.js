// An application whose users sign in with Signet: `node examples/oidc-app.js <file>`, where the file is the output of
// `signet app create --json`. It serves http://localhost:3000, and shows the claims of the user who signed in.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as client from "openid-client";

const { clientId, clientSecret } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const issuer = new URL(process.env.SIGNET_URL ?? "http://localhost:8080");
const port = Number(process.env.APP_PORT ?? 3000);
const origin = `http://localhost:${port}`;

// Reads the endpoints and keys from /.well-known/openid-configuration. Use HTTP without TLS only on the local machine.
const config = await client.discovery(issuer, clientId, undefined, client.ClientSecretBasic(clientSecret), {
  execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [],
});

/**
 * The sessions, by the value of the browser's cookie: during a sign-in, the values to check when the browser returns;
 * afterwards, the claims and the ID token. A real application stores them, and deletes old ones.
 */
const sessions = new Map();

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", origin);
  const cookie = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1];
  try {
    switch (`${request.method} ${url.pathname}`) {
      case "GET /":
        return show(response, sessions.get(cookie)?.claims);
      case "GET /sign-in":
        return await begin(response);
      case "GET /signed-in":
        return await finish(response, url, cookie);
      case "POST /sign-out":
        return signOut(response, cookie);
      default:
        return send(response, 404, "<p>This page does not exist.</p>");
    }
  } catch (error) {
    console.error(error);
    send(response, 400, '<p>The sign-in failed.</p><p><a class="button" href="/sign-in">Try again</a></p>');
  }
});
server.listen(port, "localhost", () => console.log(`open ${origin}`));

/** Redirects the browser to Signet. */
async function begin(response) {
  const codeVerifier = client.randomPKCECodeVerifier();
  const attempt = { codeVerifier, state: client.randomState(), nonce: client.randomNonce() };
  const location = client.buildAuthorizationUrl(config, {
    redirect_uri: `${origin}/signed-in`,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  redirect(response, location.href, newSession({ attempt }));
}

/** Redeems the code from the callback, and starts a session under a new cookie. */
async function finish(response, url, cookie) {
  const attempt = sessions.get(cookie)?.attempt;
  sessions.delete(cookie);
  if (attempt === undefined) throw new Error("the sign-in began in another browser");
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: attempt.codeVerifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
  });
  const claims = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
  redirect(response, "/", newSession({ claims, idToken: tokens.id_token }));
}

/** Ends the session here, and then at Signet, which redirects back to the first page. */
function signOut(response, cookie) {
  const idToken = sessions.get(cookie)?.idToken;
  sessions.delete(cookie);
  if (idToken === undefined) return redirect(response, "/");
  const parameters = { id_token_hint: idToken, post_logout_redirect_uri: `${origin}/` };
  redirect(response, client.buildEndSessionUrl(config, parameters).href);
}

/** Returns the value of the new session's cookie. */
function newSession(session) {
  const cookie = randomBytes(16).toString("base64url");
  sessions.set(cookie, session);
  return cookie;
}

function redirect(response, location, cookie) {
  if (cookie) response.setHeader("set-cookie", `session=${cookie}; HttpOnly; SameSite=Lax; Path=/`);
  response.writeHead(303, { location }).end();
}

function show(response, claims) {
  if (claims === undefined) return send(response, 200, '<p><a class="button" href="/sign-in">Sign in</a></p>');
  const json = JSON.stringify(claims, undefined, 2).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const form = '<form method="post" action="/sign-out"><button class="button">Sign out</button></form>';
  send(response, 200, `<p>You are signed in. Signet sent these claims:</p><pre>${json}</pre>${form}`);
}

function send(response, status, content) {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>An application</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 3rem auto; max-width: 36rem; padding: 0 1rem; }
  pre { padding: 1rem; border-radius: 0.5rem; background: #8882; overflow-x: auto; }
  .button { display: inline-block; padding: 0.5rem 1rem; border: 0; border-radius: 0.5rem;
    background: #3b4fc4; color: #fff; font: inherit; text-decoration: none; cursor: pointer; }
</style>
<h1>An application</h1>
${content}
</html>
`);
}
