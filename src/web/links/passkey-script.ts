import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createAsset } from "../frame/asset.ts";

/**
 * What the page of passkeys runs: the bundle of @simplewebauthn/browser, for browsers that do not turn options and
 * answers into JSON themselves (Safari before 18.4, Chrome before 129), and our own script behind it.
 */
export const PASSKEY_SCRIPT = createAsset({
  path: "/ui/passkey.js",
  type: "text/javascript",
  text: [
    "// @simplewebauthn/browser, copyright Matthew Miller, MIT licence.\n",
    readFileSync(new URL("../dist/bundle/index.umd.min.js", packageEntry("@simplewebauthn/browser")), "utf8"),
    "\n",
    readFileSync(new URL("./passkey-client.js", import.meta.url), "utf8"),
  ].join(""),
});

/** The package lets no file be named but its entry, which lies in a folder beside that of the bundle. */
function packageEntry(name: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(name));
}
