import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { PageRoutes } from "./page.ts";

const TEXT = readFileSync(new URL("./style.css", import.meta.url), "utf8");
const VERSION = createHash("sha256").update(TEXT).digest("base64url").slice(0, 12);
const PATH = "/ui/style.css";

/** The stylesheet's address. It changes with the text, so that browsers may keep what they got. */
export const STYLE_ADDRESS = `${PATH}?v=${VERSION}`;

export const styleRoutes: PageRoutes = {
  [PATH]: {
    get({ request }) {
      const isCurrent = request.query.get("v") === VERSION;
      return {
        status: 200,
        headers: {
          "content-type": "text/css; charset=utf-8",
          "cache-control": isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
          "x-content-type-options": "nosniff",
        },
        body: TEXT,
      };
    },
  },
};
