import { readFileSync } from "node:fs";
import { createAsset } from "./asset.ts";

/** The rules at the beginning of each stylesheet. */
export const BASE_STYLE = readFileSync(new URL("./base.css", import.meta.url), "utf8");

/** The stylesheet of the sign-in pages. */
export const STYLESHEET = createAsset({
  path: "/ui/style.css",
  type: "text/css",
  text: BASE_STYLE + readFileSync(new URL("./style.css", import.meta.url), "utf8"),
});
