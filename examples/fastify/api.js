/**
 * An API that checks access tokens: `node api.js introspection <API> <application>`, or `node api.js jwt <application>`.
 * The files are the output of `signet app create --json`: for the API itself, and for the application whose users may
 * call it. It listens on http://localhost:3001.
 */
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import { signet } from "./signet.js";

const [mode, ...files] = process.argv.slice(2);
const apps = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
const issuer = process.env.SIGNET_URL ?? "http://localhost:8080";
const port = Number(process.env.API_PORT ?? 3001);
const audience = apps.at(-1).clientId;

const fastify = Fastify();
await fastify.register(signet, { issuer, audience, ...(mode === "introspection" && apps[0]) });
fastify.get("/orders", { onRequest: fastify.requireToken() }, async ({ claims }) => ({ user: claims.sub, orders: [] }));
fastify.get("/profile", { onRequest: fastify.requireToken("profile") }, async ({ claims }) => ({ user: claims.sub }));
await fastify.listen({ port, host: "localhost" });
console.log(`listening on http://localhost:${port}`);
