/** The colors of a page in the preview. */
export interface Accent {
  readonly accent: string;
  /** The text of buttons. */
  readonly onAccent: string;
}

/** The grounds of pages, on which links must be readable. */
const LIGHT_GROUNDS = ["#ffffff", "#f5f6f8"];
const DARK_GROUNDS = ["#16181e", "#0d0e12"];
const MIN_CONTRAST = 4.5;

/**
 * The colors of light and dark pages, as the service chooses them; undefined for those of Signet, and while a color is
 * being typed.
 */
export function toAccents(light: string, dark: string): { light: Accent; dark: Accent } | undefined {
  if (!isColor(light) || (dark !== "" && !isColor(dark))) return undefined;
  return { light: toAccent(light), dark: toAccent(dark || lighten(light)) };
}

function toAccent(accent: string): Accent {
  const isDark = contrast(accent, "#ffffff") >= contrast(accent, "#000000");
  return { accent: accent.toLowerCase(), onAccent: isDark ? "#ffffff" : "#000000" };
}

/** The color, mixed with as much white as it takes to be read on dark pages. */
function lighten(color: string): string {
  for (let step = 0; step < 20; step++) {
    const shade = mix(color, 255, step / 20);
    if (isReadable(shade, "dark")) return shade;
  }
  return "#ffffff";
}

/**
 * The nearest color with which links can be read on light or dark pages; undefined if the color itself is one, or is being
 * typed.
 */
export function findReadable(color: string, scheme: "light" | "dark"): string | undefined {
  if (!isColor(color) || isReadable(color, scheme)) return undefined;
  const end = scheme === "light" ? 0 : 255;
  for (let step = 1; step < 100; step++) {
    const shade = mix(color, end, step / 100);
    if (isReadable(shade, scheme)) return shade;
  }
  return scheme === "light" ? "#000000" : "#ffffff";
}

function isReadable(color: string, scheme: "light" | "dark"): boolean {
  const grounds = scheme === "light" ? LIGHT_GROUNDS : DARK_GROUNDS;
  return grounds.every((ground) => contrast(color, ground) >= MIN_CONTRAST);
}

/** @param end The channel of white or black. */
function mix(color: string, end: number, share: number): string {
  const mixed = toChannels(color).map((channel) => Math.round(channel + (end - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** The contrast ratio of two colors (WCAG 2.2), from 1 to 21. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = toChannels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toChannels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Whether a text is `#` and six hexadecimal digits. */
function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}
