/**
 * An API that checks access tokens: `node examples/express-api.js <API> <application>`. Both files are the output of
 * `signet app create --json`: for the API itself, and for the application whose users may call it. It listens on
 * http://localhost:3001.
 */
import { readFileSync } from "node:fs";
import express from "express";
import * as client from "openid-client";

const [api, application] = process.argv.slice(2, 4).map((file) => JSON.parse(readFileSync(file, "utf8")));
const issuer = new URL(process.env.SIGNET_URL ?? "http://localhost:8080");
const port = Number(process.env.API_PORT ?? 3001);

// Use HTTP without TLS only on the local machine.
const config = await client.discovery(issuer, api.clientId, undefined, client.ClientSecretBasic(api.clientSecret), {
  execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [],
});

const app = express();
app.use(requireUser);
app.get("/orders", (_request, response) => {
  response.json({ user: response.locals.user, orders: [] });
});
app.listen(port, "localhost", () => console.log(`listening on http://localhost:${port}`));

/** Asks Signet whether the access token is valid, so that a token that was revoked is rejected immediately (RFC 7662). */
async function requireUser(request, response, next) {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const claims = token && (await client.tokenIntrospection(config, token, { token_type_hint: "access_token" }));
  // Tokens of other applications are for other APIs.
  if (!claims?.active || claims.client_id !== application.clientId) {
    response.set("www-authenticate", "Bearer").status(401).json({ error: "invalid_token" });
    return;
  }
  response.locals.user = claims.sub;
  next();
}
