import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createAsset } from "../frame/asset.ts";

/**
 * The script of the passkey page: the bundle of @simplewebauthn/browser, followed by our own script. The bundle is for
 * browsers that cannot convert options and responses to and from JSON (Safari before 18.4, Chrome before 129).
 */
export const PASSKEY_SCRIPT = createAsset({
  path: "/ui/passkey.js",
  type: "text/javascript",
  text: [
    "// @simplewebauthn/browser, copyright Matthew Miller, MIT license.\n",
    readFileSync(new URL("../dist/bundle/index.umd.min.js", packageEntry("@simplewebauthn/browser")), "utf8"),
    "\n",
    readFileSync(new URL("./passkey-client.js", import.meta.url), "utf8"),
  ].join(""),
});

/** The package exports its entry only; the bundle is in a folder next to it. */
function packageEntry(name: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(name));
}
