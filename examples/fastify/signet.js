import { fastifyPlugin } from "fastify-plugin";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";

/**
 * A plugin that checks access tokens. `fastify.requireToken(…scopes)` is a hook for `onRequest`, and the claims of the
 * token are in `request.claims`.
 *
 * @param options `issuer`: the URL of Signet. `audience`: the identifier of the API. `clientId`, `clientSecret`: of an
 *   application that may introspect its tokens, to ask Signet about each; without them, JSON Web Tokens are verified with the
 *   keys of Signet.
 */
export const signet = fastifyPlugin(async (fastify, options) => {
  const check = options.clientSecret === undefined ? signature(options) : introspection(options);
  fastify.decorateRequest("claims", null);
  fastify.decorate("requireToken", (...scopes) => async (request, reply) => {
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (token === undefined) return reject(reply, 401, "Bearer");
    const claims = await check(token);
    if (claims === undefined) return reject(reply, 401, 'Bearer error="invalid_token"');
    const granted = (claims.scope ?? "").split(" ");
    if (!scopes.every((scope) => granted.includes(scope))) {
      return reject(reply, 403, `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"`);
    }
    request.claims = claims;
  });
});

function reject(reply, status, challenge) {
  return reply
    .code(status)
    .header("www-authenticate", challenge)
    .send({ error: status === 401 ? "unauthorized" : "forbidden" });
}

/** Introspection (RFC 7662): a token that was revoked is rejected immediately. */
function introspection({ issuer, clientId, clientSecret, audience }) {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  return async (token) => {
    const response = await fetch(`${issuer}/oauth/v2/introspect`, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) throw unavailable(`the introspection failed with status ${response.status}`);
    const claims = await response.json();
    // A refresh token is active too, but has no `token_type`.
    const isAccepted = claims.active && claims.token_type === "Bearer" && claims.aud === audience;
    return isAccepted ? claims : undefined;
  };
}

/** JSON Web Tokens (RFC 9068). `typ` tells access tokens from ID tokens, which have the same issuer and key. */
function signature({ issuer, audience }) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/v2/keys`));
  return async (token) => {
    try {
      const options = { issuer, audience, typ: "at+jwt", algorithms: ["RS256"], requiredClaims: ["sub", "exp"] };
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      // Other errors say nothing about the token: the keys could not be loaded.
      if (error instanceof errors.JOSEError && /^ERR_(JW[ST]_|JOSE_|JWKS_NO)/.test(error.code)) return undefined;
      throw unavailable(`the keys could not be loaded: ${error.message}`);
    }
  };
}

function unavailable(message) {
  return Object.assign(new Error(message), { statusCode: 503 });
}
