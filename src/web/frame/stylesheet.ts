import { readFileSync } from "node:fs";
import { createAsset } from "./asset.ts";

/** The stylesheet of all pages. */
export const STYLESHEET = createAsset({
  path: "/ui/style.css",
  type: "text/css",
  text: readFileSync(new URL("./style.css", import.meta.url), "utf8"),
});
