import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";

const STYLE = readFileSync("src/web/frame/style.css", "utf8");
const [LIGHT = "", DARK = ""] = [...STYLE.matchAll(/:root \{([^}]*)\}/g)].map(([, body]) => body);

/** Foreground, background, and the minimum contrast of WCAG 2.2 (1.4.3 and 1.4.11, level AA). */
const PAIRS = [
  ["text", "card", 4.5],
  ["quiet", "card", 4.5],
  ["bad", "card", 4.5],
  ["text", "bad-ground", 4.5],
  ["on-accent", "accent", 4.5],
  ["on-accent", "accent-strong", 4.5],
  ["accent", "card", 4.5],
  ["good", "card", 3],
  ["field-line", "card", 3],
] as const;

test.each([
  ["light", LIGHT],
  ["dark", DARK],
])("the %s colors meet the contrast of WCAG AA", (_scheme, body) => {
  const found = PAIRS.map(([front, back]) => contrast(color(body, front), color(body, back)));
  for (const [index, [front, back, least]] of PAIRS.entries()) {
    expect([front, back, (found[index] ?? 0) >= least]).toEqual([front, back, true]);
  }
});

test("the stylesheet loads nothing", () => {
  expect(STYLE).not.toMatch(/url\(|@import|@font-face/);
});

function color(body: string, name: string): number[] {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(body)?.[1] ?? "";
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
