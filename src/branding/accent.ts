/** The colors of buttons and links on light or dark pages, as `#` and six lowercase hexadecimal digits. */
export interface Accent {
  readonly accent: string;
  /** Under the pointer. */
  readonly strong: string;
  /** The text of buttons. */
  readonly text: string;
}

/** The grounds on which pages and emails show links. `test/branding/accent.test.ts` compares them with the stylesheets. */
export const GROUNDS = {
  light: ["#ffffff", "#f5f6f8"],
  dark: ["#16181e", "#0d0e12"],
} as const;

export type Scheme = keyof typeof GROUNDS;

/** The contrast of normal text (WCAG 2.2, success criterion 1.4.3). */
const MIN_CONTRAST = 4.5;

/** Whether a text is a color: `#` and six hexadecimal digits. Nothing else may get into a stylesheet. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The lowest contrast of a color to the grounds of a scheme, rounded down to tenths if it is too low to be read. */
export function findLowContrast(color: string, scheme: Scheme): number | undefined {
  const lowest = Math.min(...GROUNDS[scheme].map((ground) => contrast(color, ground)));
  return lowest < MIN_CONTRAST ? Math.floor(lowest * 10) / 10 : undefined;
}

/**
 * The colors for light and dark pages; undefined for those of Signet. A dark color that is not given is the light one,
 * mixed with as much white as it takes to be read.
 */
export function toAccents({
  primaryColor,
  primaryColorDark,
}: {
  readonly primaryColor: string;
  readonly primaryColorDark: string;
}): { readonly light: Accent; readonly dark: Accent } | undefined {
  if (primaryColor === "") return undefined;
  const dark = primaryColorDark || lighten(primaryColor);
  return { light: toAccent(primaryColor, "#000000"), dark: toAccent(dark, "#ffffff") };
}

/** @param away The color to which the color moves under the pointer: away from the ground. */
function toAccent(accent: string, away: "#000000" | "#ffffff"): Accent {
  const text = contrast(accent, "#ffffff") >= contrast(accent, "#000000") ? "#ffffff" : "#000000";
  return { accent, strong: mix(accent, away, 0.25), text };
}

function lighten(color: string): string {
  const shades = Array.from({ length: 21 }, (_, step) => mix(color, "#ffffff", step / 20));
  return shades.find((shade) => findLowContrast(shade, "dark") === undefined) ?? "#ffffff";
}

/** @param share That of the other color, from 0 to 1. */
export function mix(color: string, other: string, share: number): string {
  const others = toChannels(other);
  const mixed = toChannels(color).map((channel, index) => channel + ((others[index] ?? 0) - channel) * share);
  return `#${mixed.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** The contrast ratio of two colors (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The relative luminance of a color (WCAG 2.2), from 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = toChannels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green and blue, from 0 to 255. */
function toChannels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
