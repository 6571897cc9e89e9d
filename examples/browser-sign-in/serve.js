// Serves an application that runs in the browser: `node examples/browser-sign-in/serve.js <file>`, where the file is the
// output of `signet app create --json`. See README.md in this folder.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const authority = process.env.SIGNET_URL ?? "http://localhost:8080";
const port = Number(process.env.APP_PORT ?? 3000);
const { clientId } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const page = readFileSync(new URL("index.html", import.meta.url), "utf8");

/** The page has a user's token, so it runs only its own scripts, and connects only to Signet. */
const policy = [
  "default-src 'none'",
  `script-src 'self' ${hashesOf("script")}`,
  `style-src ${hashesOf("style")}`,
  `connect-src 'self' ${new URL(authority).origin}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const file = new URL(`../..${pathname}`, import.meta.url);
  if (pathname === "/") {
    response.setHeader("content-security-policy", policy);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(page);
  } else if (pathname === "/settings.json") {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ authority, clientId }));
  } else if (/^\/(node_modules|gen)\/[\w@./-]+\.js$/.test(pathname) && existsSync(file)) {
    response.setHeader("content-type", "text/javascript");
    response.setHeader("cache-control", "max-age=60");
    response.end(readFileSync(file));
  } else {
    response.writeHead(404).end();
  }
});
server.listen(port, "localhost", () => console.log(`open http://localhost:${port}`));

/** The hashes of the page's elements, by which a Content-Security-Policy allows them. */
function hashesOf(tag) {
  return [...page.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, "g"))]
    .map(([, text]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`)
    .join(" ");
}
