/**
 * An API that checks access tokens: `node api.js <identifier> [introspector]`. The identifier is that of `signet api add`.
 * With the output of `signet app create --json` for an application that may introspect its tokens, the API asks Signet about
 * each token; otherwise, it verifies signatures. It listens on http://localhost:3001.
 */
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import { signet } from "./signet.js";

const [audience, introspector] = process.argv.slice(2);
const credentials = introspector === undefined ? {} : JSON.parse(readFileSync(introspector, "utf8"));
const issuer = process.env.SIGNET_URL ?? "http://localhost:8080";
const port = Number(process.env.API_PORT ?? 3001);

const fastify = Fastify();
await fastify.register(signet, { issuer, audience, ...credentials });
fastify.get("/orders", { onRequest: fastify.requireToken("orders:read") }, async ({ claims }) => {
  return { user: claims.sub, orders: [] };
});
fastify.get("/invoices", { onRequest: fastify.requireToken("invoices:read") }, async ({ claims }) => {
  return { user: claims.sub, invoices: [] };
});
await fastify.listen({ port, host: "localhost" });
console.log(`listening on http://localhost:${port}`);
