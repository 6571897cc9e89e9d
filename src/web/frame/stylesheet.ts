import { readFileSync } from "node:fs";
import type { Scheme } from "../../branding/accent.ts";
import { createAsset } from "./asset.ts";

/** The rules at the beginning of each stylesheet. */
export const BASE_STYLE = readFileSync(new URL("./base.css", import.meta.url), "utf8");

const STYLE = BASE_STYLE + readFileSync(new URL("./style.css", import.meta.url), "utf8");

/** The stylesheet of the sign-in pages. */
export const STYLESHEET = createAsset({ path: "/ui/style.css", type: "text/css", text: STYLE });

/** The same in one scheme, whatever that of the browser is. */
export const STYLESHEETS = {
  light: createAsset({ path: "/ui/style-light.css", type: "text/css", text: toScheme("light") }),
  dark: createAsset({ path: "/ui/style-dark.css", type: "text/css", text: toScheme("dark") }),
};

function toScheme(scheme: Scheme): string {
  return STYLE.replaceAll("(prefers-color-scheme: dark)", scheme === "dark" ? "all" : "not all").replace(
    "color-scheme: light dark",
    `color-scheme: ${scheme}`,
  );
}
