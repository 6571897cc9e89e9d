/** An MCP server whose users sign in with Signet: `node server.js`. It listens on http://localhost:3001/mcp. */
import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";

const issuer = process.env.SIGNET_URL ?? "http://localhost:8080";
/** The identifier of the API. */
const resource = new URL(process.env.MCP_URL ?? "http://localhost:3001/mcp");
const scopes = ["tools.call"];

const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/v2/keys`));

/** Verifies access tokens (RFC 9068) with the keys of Signet. */
const verifier = {
  async verifyAccessToken(token) {
    try {
      const options = { issuer, audience: resource.href, typ: "at+jwt", algorithms: ["RS256"] };
      const { payload } = await jwtVerify(token, keys, { ...options, requiredClaims: ["sub", "exp"] });
      const { sub, client_id: clientId, scope = "", exp: expiresAt } = payload;
      return { token, clientId, scopes: scope.split(" "), expiresAt, resource, extra: { sub } };
    } catch (error) {
      // Other errors say nothing about the token: the keys could not be loaded.
      if (!(error instanceof errors.JOSEError) || !/^ERR_(JW[ST]_|JOSE_|JWKS_NO)/.test(error.code)) throw error;
      throw new InvalidTokenError("the access token is invalid");
    }
  },
};

function createServer() {
  const server = new McpServer({ name: "example", version: "1.0.0" });
  server.registerTool("whoami", { description: "Returns the id of the signed-in user." }, ({ authInfo }) => ({
    content: [{ type: "text", text: String(authInfo.extra.sub) }],
  }));
  return server;
}

const app = express();
// The metadata of this server (RFC 9728) names Signet as its authorization server.
app.use(
  mcpAuthMetadataRouter({
    oauthMetadata: await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json(),
    resourceServerUrl: resource,
    scopesSupported: scopes,
  }),
);
app.use(
  resource.pathname,
  requireBearerAuth({
    verifier,
    requiredScopes: scopes,
    expectedResource: resource,
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
  }),
);
app.post(resource.pathname, express.json(), async (request, response) => {
  const server = createServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on("close", () => server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
// Without sessions, the server has no stream of messages to GET, and nothing to DELETE.
app.all(resource.pathname, (_request, response) => response.status(405).end());
app.listen(Number(resource.port), "localhost", () => console.log(`listening on ${resource}`));
