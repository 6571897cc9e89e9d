import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import { SignetError } from "../../errors.ts";
import { html } from "../../html.ts";
import type { Handler, RawHeaders } from "../../http/exchange.ts";
import { type Mount, sendError } from "../../http/router.ts";
import { logFailure } from "../../log-failure.ts";
import { ICON } from "../frame/logo.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { createStaticFile } from "./static-file.ts";

/** Scripts of all origins may read the document, because it is public. */
const ANY_ORIGIN = ["access-control-allow-origin", "*", "access-control-expose-headers", "etag"];

const PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Signet</title>
<link rel="icon" type="image/svg+xml" href="${ICON.address}">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/reference.js" defer></script>
</head>
<body>
<div id="reference"><noscript>This page needs JavaScript. The document is at <a href="/openapi.json">/openapi.json</a>.</noscript></div>
</body>
</html>
`;

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/**
 * From 150 rows on, Swagger UI renders only those in view, so that neither a search in the page nor the keyboard finds the
 * others. It has no option for that.
 */
async function readBundle(url: URL): Promise<Buffer> {
  const text = await readFile(url, "utf8");
  const rendered = text.replace(".length>=150", ".length>=1e4");
  if (rendered === text) throw new Error("Swagger UI chooses in another way which operations it renders");
  return Buffer.from(rendered);
}

/**
 * `/openapi.json`, the document generated from the contract, and `/docs`, a page that shows it and loads nothing else.
 */
export function createReferenceMounts({ log }: { log: Logger }): Mount[] {
  const onError = (err: unknown) => logFailure(log, "error", { err }, "a file of the reference could not be read");
  const file = (type: string, url: URL, headers: RawHeaders = [], read: (url: URL) => Promise<Buffer> = readFile) =>
    createStaticFile({ type, read: () => read(url), headers, onError });
  const require = createRequire(import.meta.url);
  const ofPackage = (name: string) => pathToFileURL(require.resolve(`swagger-ui-dist/${name}`));
  const parts: ReadonlyMap<string, Handler> = new Map([
    ["/docs/swagger-ui-bundle.js", file(SCRIPT, ofPackage("swagger-ui-bundle.js"), [], readBundle)],
    ["/docs/swagger-ui.css", file(STYLE, ofPackage("swagger-ui.css"))],
    ["/docs/reference.js", file(SCRIPT, new URL("./reference.js", import.meta.url))],
    ["/docs/reference.css", file(STYLE, new URL("./reference.css", import.meta.url))],
  ]);
  const page = createStaticFile({
    type: "text/html; charset=utf-8",
    read: async () => Buffer.from(PAGE.text),
    headers: PAGE_HEADERS,
    onError,
  });
  const document = new URL("../../../gen/openapi.json", import.meta.url);
  return [
    { prefix: "/openapi.json", handler: file("application/json", document, ANY_ORIGIN) },
    { prefix: "/docs", handler: page },
    {
      prefix: "/docs/",
      handler(exchange) {
        const part = parts.get(exchange.path);
        if (part) return part(exchange);
        const error = new SignetError("PATH_NOT_FOUND", "nothing is at this path");
        sendError(exchange, ["x-request-id", exchange.id], error);
      },
    },
  ];
}
