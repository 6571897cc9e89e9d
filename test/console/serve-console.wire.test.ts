import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { CONSOLE_APP_ID } from "../../src/apps/console-app.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** The largest script that a slow connection should have to load. */
const MOST_BYTES = 120 * 1_024;
/** For a screen that is not part of the first program, or another language. */
const MOST_ADDED_BYTES = 16 * 1_024;

/** For what only an import loads: the readers of exports with their parsers, and the phone numbers of all regions. */
const IMPORT_SCRIPTS = /^(?:engine|phones)-/;
const MOST_IMPORT_BYTES = 72 * 1_024;

const SCRIPTS = readdirSync("gen/console").filter((name) => name.endsWith(".js"));

/** The files that one imports at once. */
function importsOf(name: string): string[] {
  const text = readFileSync(`gen/console/${name}`, "utf8");
  return Array.from(
    new Set(Array.from(text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g), ([, found = ""]) => found)),
  );
}

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres", { PUBLIC_URL: "https://id.example.com" });
});
afterAll(() => service?.close());

test("every address of the console has the same page, whose policy allows no inline code and no other origin", async () => {
  const texts = new Set<string>();
  for (const path of ["/console/", "/console/orgs", "/console/orgs/x/users/y?q=z", "/console/signed-in?code=x"]) {
    const response = await fetch(service.origin + path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      200,
      "text/html; charset=utf-8",
    ]);
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'none'; " +
        "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    texts.add(await response.text());
  }
  expect(texts.size).toBe(1);
  const [text = ""] = texts;
  expect(text).toContain('<meta name="signet-issuer" content="https://id.example.com">');
  expect(text).toContain(`<meta name="signet-client-id" content="${CONSOLE_APP_ID}">`);
});

test("the script and the stylesheet are cached forever by their version, and revalidated without it", async () => {
  const page = await (await fetch(`${service.origin}/console/`)).text();
  for (const file of ["console.js", "console.css"]) {
    const [, path = ""] = new RegExp(`"(/console/${file}\\?v=[\\w-]{22})"`).exec(page) ?? [];
    const versioned = await fetch(service.origin + path);
    expect([file, versioned.status, versioned.headers.get("cache-control")]).toEqual([
      file,
      200,
      "public, max-age=31536000, immutable",
    ]);
    expect(versioned.headers.get("x-content-type-options")).toBe("nosniff");
    for (const other of [`/console/${file}`, `/console/${file}?v=other`]) {
      const response = await fetch(service.origin + other);
      expect([other, response.headers.get("cache-control")]).toEqual([other, "public, no-cache"]);
    }
  }
});

test("the files that the script imports are cached forever by their names, and begin to load with the page", async () => {
  const page = await (await fetch(`${service.origin}/console/`)).text();
  const preloaded = Array.from(
    page.matchAll(/<link rel="modulepreload" href="\/console\/([^"]+)">/g),
    ([, name]) => name,
  );
  expect(preloaded).toEqual(importsOf("console.js"));
  for (const name of SCRIPTS.filter((each) => each !== "console.js")) {
    const response = await fetch(`${service.origin}/console/${name}`);
    expect([
      name,
      response.status,
      response.headers.get("cache-control"),
      response.headers.get("content-type"),
    ]).toEqual([name, 200, "public, max-age=31536000, immutable", "text/javascript; charset=utf-8"]);
    expect(await response.text()).toBe(readFileSync(`gen/console/${name}`, "utf8"));
  }
});

test("the files can only be read", async () => {
  const response = await fetch(`${service.origin}/console`, { method: "POST" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("the first program is small, and what screens and languages add to it", () => {
  const first = new Set(["console.js", ...importsOf("console.js")]);
  expect(sizeOf(first)).toBeLessThanOrEqual(MOST_BYTES);
  for (const name of SCRIPTS) {
    const added = new Set([name, ...importsOf(name)].filter((each) => !first.has(each)));
    const most = IMPORT_SCRIPTS.test(name) ? MOST_IMPORT_BYTES : MOST_ADDED_BYTES;
    expect([name, sizeOf(added) <= most]).toEqual([name, true]);
  }
});

function sizeOf(names: ReadonlySet<string>): number {
  const sizes = Array.from(names, (name) => gzipSync(readFileSync(`gen/console/${name}`), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}
