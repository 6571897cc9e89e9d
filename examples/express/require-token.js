import { createRemoteJWKSet, errors, jwtVerify } from "jose";

/**
 * Asks Signet about each token (introspection, RFC 7662), so a token that was revoked is rejected immediately.
 *
 * @param options `audience`: the identifier of the API. `clientId`, `clientSecret`: of an application that may introspect
 *   its tokens.
 */
export function introspection({ issuer, clientId, clientSecret, audience }) {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  return async (token) => {
    const response = await fetch(`${issuer}/oauth/v2/introspect`, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) throw new Error(`the introspection failed with status ${response.status}`);
    const claims = await response.json();
    // A refresh token is active too, but has no `token_type`.
    const isAccepted = claims.active && claims.token_type === "Bearer" && claims.aud === audience;
    return isAccepted ? claims : undefined;
  };
}

/**
 * Verifies JSON Web Tokens (RFC 9068) with the keys of Signet, without a request for each. A token is accepted until it
 * expires. `typ` tells access tokens from ID tokens, which have the same issuer and key.
 */
export function signature({ issuer, audience }) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/v2/keys`));
  return async (token) => {
    try {
      const options = { issuer, audience, typ: "at+jwt", algorithms: ["RS256"], requiredClaims: ["sub", "exp"] };
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      // Other errors say nothing about the token: the keys could not be loaded.
      if (error instanceof errors.JOSEError && /^ERR_(JW[ST]_|JOSE_|JWKS_NO)/.test(error.code)) return undefined;
      throw error;
    }
  };
}

/**
 * Requires an access token with these scopes. The handlers that follow find its claims in `response.locals.claims`.
 *
 * @param check `introspection(…)` or `signature(…)`.
 */
export function requireToken(check, ...scopes) {
  return async (request, response, next) => {
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (token === undefined) return reject(response, 401, "Bearer");
    const claims = await check(token);
    if (claims === undefined) return reject(response, 401, 'Bearer error="invalid_token"');
    const granted = (claims.scope ?? "").split(" ");
    if (!scopes.every((scope) => granted.includes(scope))) {
      return reject(response, 403, `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"`);
    }
    response.locals.claims = claims;
    next();
  };
}

function reject(response, status, challenge) {
  response
    .set("www-authenticate", challenge)
    .status(status)
    .json({ error: status === 401 ? "unauthorized" : "forbidden" });
}
