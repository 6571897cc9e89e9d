import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { PageRoutes } from "./page.ts";

const PATH = "/ui/passkey.js";

/**
 * What the page of passkeys runs: the bundle of @simplewebauthn/browser, for browsers that do not turn options and
 * answers into JSON themselves (Safari before 18.4, Chrome before 129), and our own script behind it.
 */
const TEXT = [
  "// @simplewebauthn/browser, copyright Matthew Miller, MIT licence.\n",
  readFileSync(new URL("../dist/bundle/index.umd.min.js", packageEntry("@simplewebauthn/browser")), "utf8"),
  "\n",
  readFileSync(new URL("./passkey-client.js", import.meta.url), "utf8"),
].join("");
const VERSION = createHash("sha256").update(TEXT).digest("base64url").slice(0, 12);

/** The script's address. It changes with the text, so that browsers may keep what they got. */
export const PASSKEY_SCRIPT_ADDRESS = `${PATH}?v=${VERSION}`;

export const passkeyScriptRoutes: PageRoutes = {
  [PATH]: {
    get({ request }) {
      const isCurrent = request.query.get("v") === VERSION;
      return {
        status: 200,
        headers: {
          "content-type": "text/javascript; charset=utf-8",
          "cache-control": isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
          "x-content-type-options": "nosniff",
        },
        body: TEXT,
      };
    },
  },
};

/** The package lets no file be named but its entry, which lies in a folder beside that of the bundle. */
function packageEntry(name: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(name));
}
