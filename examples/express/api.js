/**
 * An API that checks access tokens: `node api.js introspection <API> <application>`, or `node api.js jwt <application>`.
 * The files are the output of `signet app create --json`: for the API itself, and for the application whose users may
 * call it. It listens on http://localhost:3001.
 */
import { readFileSync } from "node:fs";
import express from "express";
import { introspection, requireToken, signature } from "./require-token.js";

const [mode, ...files] = process.argv.slice(2);
const apps = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
const issuer = process.env.SIGNET_URL ?? "http://localhost:8080";
const port = Number(process.env.API_PORT ?? 3001);
const audience = apps.at(-1).clientId;
const check = mode === "jwt" ? signature({ issuer, audience }) : introspection({ issuer, ...apps[0], audience });

const app = express();
app.get("/orders", requireToken(check), (_request, response) => {
  response.json({ user: response.locals.claims.sub, orders: [] });
});
app.get("/profile", requireToken(check, "profile"), (_request, response) => {
  response.json({ user: response.locals.claims.sub });
});
app.use((error, _request, response, _next) => {
  console.error(error);
  response.status(503).json({ error: "unavailable" });
});
app.listen(port, "localhost", () => console.log(`listening on http://localhost:${port}`));
