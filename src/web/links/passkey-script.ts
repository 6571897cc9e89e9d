import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type Asset, createAsset } from "../frame/asset.ts";

/** The script of the page that registers a passkey. */
export const PASSKEY_SCRIPT = createPasskeyScript("/ui/passkey.js", new URL("./passkey-client.js", import.meta.url));

/**
 * Creates a script that consists of the bundle of @simplewebauthn/browser and a file. The bundle supports browsers that
 * cannot convert options and responses to and from JSON (Safari before 18.4, Chrome before 129).
 *
 * @param path The path of the script, below `/ui/`.
 * @param file The file after the bundle.
 */
export function createPasskeyScript(path: string, file: URL): Asset {
  return createAsset({
    path,
    type: "text/javascript",
    text: [
      "// @simplewebauthn/browser, copyright Matthew Miller, MIT license.\n",
      readFileSync(new URL("../dist/bundle/index.umd.min.js", packageEntry("@simplewebauthn/browser")), "utf8"),
      "\n",
      readFileSync(file, "utf8"),
    ].join(""),
  });
}

/** The package exports only its entry; the bundle is in a folder next to it. */
function packageEntry(name: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(name));
}
