import { createHash } from "node:crypto";
import type { PageRoutes } from "./page.ts";

/** A text that pages load. */
export interface Asset {
  /** What pages link to. It changes with the text, so that browsers may keep what they got. */
  readonly address: string;
  readonly routes: PageRoutes;
}

/** @param options `path` below `/ui/`; `type` such as `text/css`. */
export function createAsset({ path, type, text }: { path: string; type: string; text: string }): Asset {
  const version = createHash("sha256").update(text).digest("base64url").slice(0, 12);
  return {
    address: `${path}?v=${version}`,
    routes: {
      [path]: {
        get({ request }) {
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
