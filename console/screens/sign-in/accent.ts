import { findLowContrast, isColor, mix, type Scheme } from "../../../src/branding/accent.ts";

/**
 * The nearest color with which links can be read on light or dark pages; undefined if the color itself is one, or is being
 * typed.
 */
export function findReadable(color: string, scheme: Scheme): string | undefined {
  const isReadable = (shade: string) => findLowContrast(shade, scheme) === undefined;
  if (!isColor(color) || isReadable(color)) return undefined;
  const end = scheme === "light" ? "#000000" : "#ffffff";
  for (let step = 1; step < 100; step++) {
    const shade = mix(color, end, step / 100);
    if (isReadable(shade)) return shade;
  }
  return end;
}
