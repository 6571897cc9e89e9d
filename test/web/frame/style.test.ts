import { readFileSync } from "node:fs";

const BASE = readFileSync("src/web/frame/base.css", "utf8");
const STYLE = BASE + readFileSync("src/web/frame/style.css", "utf8");
const GUIDE = BASE + readFileSync("src/web/guide/guide.css", "utf8");

/** Foreground, background, and the minimum contrast of WCAG 2.2 (1.4.3 and 1.4.11, level AA). */
const PAIRS = [
  ["text", "card", 4.5],
  ["text", "ground", 4.5],
  ["text", "raised", 4.5],
  ["quiet", "card", 4.5],
  ["bad", "card", 4.5],
  ["bad", "bad-ground", 4.5],
  ["card", "bad", 4.5],
  ["on-accent", "accent", 4.5],
  ["on-accent", "accent-strong", 4.5],
  ["accent-text", "card", 4.5],
  ["good", "card", 3],
  ["good", "good-ground", 3],
  ["field-line", "card", 3],
] as const;

const GUIDE_PAIRS = [
  ...["ground", "raised"].flatMap((back) =>
    ["text", "quiet", "accent-text"].map((front) => [front, back, 4.5] as const),
  ),
  ["text", "mark", 4.5],
  ["field-line", "ground", 3],
] as const;

test.each([
  ["pages", "light", STYLE, PAIRS],
  ["pages", "dark", STYLE, PAIRS],
  ["guide", "light", GUIDE, GUIDE_PAIRS],
  ["guide", "dark", GUIDE, GUIDE_PAIRS],
] as const)("%s: the %s colors meet the contrast of WCAG AA", (_what, scheme, style, pairs) => {
  const body = colorsOf(style, scheme);
  for (const [front, back, least] of pairs) {
    const ratio = contrast(color(body, front), color(body, back));
    expect([front, back, ratio >= least]).toEqual([front, back, true]);
  }
});

test("the stylesheets load nothing", () => {
  expect(STYLE + GUIDE).not.toMatch(/url\(|@import|@font-face/);
});

/** The variables of `:root`. The declarations for dark mode, which are indented, replace those for light. */
function colorsOf(style: string, scheme: "light" | "dark"): ReadonlyMap<string, string> {
  const roots = [...style.matchAll(/^( {0,2}):root \{([^}]*)\}/gm)];
  const bodies = roots.filter(([, indent]) => indent === "" || scheme === "dark").map(([, , body = ""]) => body);
  const declarations = bodies.flatMap((body) => [...body.matchAll(/--([\w-]+): ([^;]+);/g)]);
  return new Map(declarations.map(([, name = "", value = ""]) => [name, value]));
}

/** The channels of a color: a hexadecimal number, another variable, or a mix of two colors. */
function color(colors: ReadonlyMap<string, string>, name: string): number[] {
  return toChannels(colors, colors.get(name) ?? "");
}

function toChannels(colors: ReadonlyMap<string, string>, value: string): number[] {
  const [, variable] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  if (variable !== undefined) return color(colors, variable);
  const [, first, percent, second] = /^color-mix\(in srgb, (.+) (\d+)%, (.+)\)$/.exec(value) ?? [];
  if (first !== undefined && second !== undefined) {
    const others = toChannels(colors, second);
    const share = Number(percent) / 100;
    return toChannels(colors, first).map((channel, at) => channel * share + (others[at] ?? 0) * (1 - share));
  }
  const [, hex] = /^#([0-9a-f]{6})$/.exec(value) ?? [];
  if (hex === undefined) throw new Error(`no color: ${value}`);
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
}

function contrast(one: number[], other: number[]): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function luminance(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
