import { html } from "../../html.ts";
import { createAsset } from "./asset.ts";

/** The path of the letter, in a square of 24 units. */
const LOGO_LETTER =
  "M15.6 8.9c-.7-1.2-2-1.9-3.6-1.9-2 0-3.6 1-3.6 2.6 0 3.6 7.4 1.6 7.4 5 0 1.5-1.6 2.4-3.7 2.4-1.9 0-3.3-.8-3.9-2.1";

export const LOGO = html`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="${LOGO_LETTER}"/></svg>`;

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
