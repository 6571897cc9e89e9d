import { createAsset } from "./asset.ts";
import { LOGO_LETTER } from "./logo.ts";

/** The icon of every page: the logo in colors that are visible in light and dark. */
export const ICON = createAsset({
  path: "/ui/icon.svg",
  type: "image/svg+xml",
  text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none">
<circle cx="12" cy="12" r="12" fill="#3b4fc4"/>
<path d="${LOGO_LETTER}" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`,
});
