import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { PageRoutes } from "./page.ts";

/** A file that pages load. */
export interface Asset {
  /** The URL of the file. It contains a hash of the text, so that browsers can cache the file forever. */
  readonly address: string;
  readonly routes: PageRoutes<unknown>;
}

/** @param options `path` below `/ui/`; `type` such as `text/css`. */
export function createAsset({ path, type, text }: { path: string; type: string; text: string }): Asset {
  const version = createHash("sha256").update(text).digest("base64url").slice(0, 12);
  return {
    address: `${path}?v=${version}`,
    routes: {
      [path]: {
        get(_parts, { request }) {
          const isCurrent = request.query.get("v") === version;
          return {
            status: 200,
            headers: {
              "content-type": `${type}; charset=utf-8`,
              "cache-control": isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
              "x-content-type-options": "nosniff",
            },
            body: text,
          };
        },
      },
    },
  };
}

/** @param file A script that runs in the browser. */
export function createScript(path: string, file: URL): Asset {
  return createAsset({ path, type: "text/javascript", text: readFileSync(file, "utf8") });
}
