import { type Accent, toAccents } from "./accent.ts";
import type { LabelSettings } from "./label-settings.ts";

/**
 * The path of the stylesheet with the colors of a label policy; undefined for the colors of Signet. The path has the
 * colors, so the stylesheet needs no lookup, and browsers can cache it forever.
 */
export function toAccentPath(colors: Pick<LabelSettings, "primaryColor" | "primaryColorDark">): string | undefined {
  const accents = toAccents(colors);
  return accents && `/ui/brand/${accents.light.accent.slice(1)}-${accents.dark.accent.slice(1)}.css`;
}

/** The stylesheet at a path; undefined for any other path. Whatever the path is, it contains nothing but colors. */
export function toAccentStyle(path: string): string | undefined {
  const [, light, dark] = /^\/ui\/brand\/([0-9a-f]{6})-([0-9a-f]{6})\.css$/.exec(path) ?? [];
  const accents = toAccents({ primaryColor: light ? `#${light}` : "", primaryColorDark: `#${dark}` });
  if (accents === undefined) return undefined;
  return `:root {
${toRules(accents.light)}}

@media (prefers-color-scheme: dark) {
:root {
${toRules(accents.dark)}}
}
`;
}

/** The variables of src/web/frame/base.css that follow from an accent. */
function toRules({ accent, strong, text }: Accent): string {
  return `--accent: ${accent};
--accent-text: ${accent};
--accent-strong: ${strong};
--on-accent: ${text};
`;
}
