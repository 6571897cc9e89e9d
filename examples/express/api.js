/**
 * An API that checks access tokens: `node api.js <identifier> [introspector]`. The identifier is that of `signet api add`.
 * With the output of `signet app create --json` for an application that may introspect its tokens, the API asks Signet about
 * each token; otherwise, it verifies signatures. It listens on http://localhost:3001.
 */
import { readFileSync } from "node:fs";
import express from "express";
import { introspection, requireToken, signature } from "./require-token.js";

const [audience, introspector] = process.argv.slice(2);
const issuer = process.env.SIGNET_URL ?? "http://localhost:8080";
const port = Number(process.env.API_PORT ?? 3001);
const check =
  introspector === undefined
    ? signature({ issuer, audience })
    : introspection({ issuer, audience, ...JSON.parse(readFileSync(introspector, "utf8")) });

const app = express();
app.get("/orders", requireToken(check, "orders:read"), (_request, response) => {
  response.json({ user: response.locals.claims.sub, orders: [] });
});
app.get("/invoices", requireToken(check, "invoices:read"), (_request, response) => {
  response.json({ user: response.locals.claims.sub, invoices: [] });
});
app.use((error, _request, response, _next) => {
  console.error(error);
  response.status(503).json({ error: "unavailable" });
});
app.listen(port, "localhost", () => console.log(`listening on http://localhost:${port}`));
