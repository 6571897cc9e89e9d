import Negotiator from "negotiator";
import { BUILT_IN_BRANDING } from "../../branding/create-brandings.ts";
import { html } from "../../html.ts";
import type { Exchange, Handler } from "../../http/exchange.ts";
import { type Mount, sendError } from "../../http/router.ts";
import { builtInLanguage } from "../../texts/page-language.ts";
import { renderPage } from "../frame/render-page.ts";
import { layOut } from "../frame/responses.ts";

const LINKS = [
  { name: "console", path: "/console", text: "Console" },
  { name: "guide", path: "/docs/guide", text: "Guide" },
  { name: "docs", path: "/docs", text: "API reference" },
  { name: "openapi", path: "/openapi.json", text: "OpenAPI document" },
  { name: "health", path: "/healthz", text: "Health: the process runs" },
  { name: "readiness", path: "/readyz", text: "Readiness: it can serve" },
] as const;

const DESCRIPTION = "Identity management over gRPC, gRPC-Web, Connect and REST";

const PAGE = layOut(
  renderPage({
    language: builtInLanguage("en"),
    title: "Identity management",
    content: html`<p>This is an instance of Signet. It answers gRPC, gRPC-Web, Connect and REST.</p>
<ul class="links">
${LINKS.map(({ path, text }) => html`<li><a href="${path}">${text}</a></li>\n`)}</ul>`,
  }),
  BUILT_IN_BRANDING,
);
const PAGE_BYTES = Buffer.from(PAGE.body);
const PAGE_HEADERS = Object.entries(PAGE.headers).flatMap(([name, value]) => [name, String(value)]);

const JSON_BYTES = Buffer.from(
  JSON.stringify({
    name: "Signet",
    description: DESCRIPTION,
    ...Object.fromEntries(LINKS.map(({ name, path }) => [name, path])),
  }),
);
const JSON_HEADERS = [
  "content-type",
  "application/json",
  "access-control-allow-origin",
  "*",
  "cache-control",
  "no-store",
];

/** Serves `GET /`: a page for browsers, JSON for all other clients. Passes other methods to `next`. */
export function createHomeMount(next: Handler): Mount {
  const handler: Handler = (exchange) =>
    exchange.method === "GET" || exchange.method === "HEAD" ? respond(exchange) : next(exchange);
  return { prefix: "/", handler };
}

function respond(exchange: Exchange): void {
  const own = ["x-request-id", exchange.id, "vary", "accept"];
  const refusal = exchange.refuseStranger();
  // JSON first, because programs that send `*/*` do not expect a page.
  const isPage = new Negotiator(exchange).mediaType(["application/json", "text/html"]) === "text/html";
  if (refusal !== undefined) sendError(exchange, own, refusal);
  else if (isPage) exchange.send(200, [...own, ...PAGE_HEADERS], PAGE_BYTES);
  else exchange.send(200, [...own, ...JSON_HEADERS], JSON_BYTES);
}
