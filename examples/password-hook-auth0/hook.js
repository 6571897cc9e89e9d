/**
 * A password hook for users of a database connection of Auth0: `node hook.js`, with these variables:
 *
 * - SIGNET_SIGNING_KEY: printed by `signet password-hook set`.
 * - AUTH0_DOMAIN: such as example.eu.auth0.com.
 * - AUTH0_CLIENT_ID, AUTH0_CLIENT_SECRET: of an application with the grant type Password.
 * - AUTH0_CONNECTION: Username-Password-Authentication by default.
 * - HOST, PORT: where it listens; http://localhost:3002 by default. A proxy in front of it serves HTTPS.
 */
import { claimsOf, idOf, serveHook, Unchecked } from "./serve-hook.js";

const { AUTH0_DOMAIN: domain, AUTH0_CLIENT_ID: clientId, AUTH0_CLIENT_SECRET: secret } = process.env;
const { AUTH0_CONNECTION: realm = "Username-Password-Authentication" } = process.env;
const { AUTH0_ENDPOINT: endpoint = `https://${domain}/oauth/token` } = process.env;

/** Signet waits for five seconds. */
const LIMIT_MS = 4_000;

/**
 * The user cannot sign in there with this password. `password_leaked`: until the user has changed it. `unauthorized` and
 * `access_denied`: the user is blocked, or an Action denies the sign-in.
 */
const REFUSED = ["invalid_grant", "invalid_user_password", "password_leaked", "unauthorized", "access_denied"];

serveHook(async (user, password) => {
  // The users of other connections have no password.
  if (!idOf(user).startsWith("auth0|")) return { valid: false };
  const { status, body } = await requestTokens(user.userName, password);
  if (status === 200) return { valid: claimsOf(body.id_token).sub === idOf(user) };
  // Too many attempts for the user or from this address, or too many requests.
  if (status === 429) throw new Unchecked(`Auth0 has answered ${body.error}`);
  // Comes after a correct password. Without tokens, only the name says whose it is.
  if (body.error === "mfa_required") return { valid: true };
  if (REFUSED.includes(body.error)) return { valid: false };
  throw new Error(`Auth0 has answered ${status} ${body.error}`);
});

/** Auth0's password grant with the connection as realm. */
async function requestTokens(userName, password) {
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        grant_type: "http://auth0.com/oauth/grant-type/password-realm",
        client_id: clientId,
        client_secret: secret,
        username: userName,
        password,
        realm,
        scope: "openid",
      }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    throw new Error(`Auth0 has not answered: ${error.cause?.code ?? error.name}`);
  }
}
