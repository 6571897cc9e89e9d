import { readFileSync } from "node:fs";
import { contrast, findLowContrast, GROUNDS, isColor, toAccents } from "../../src/branding/accent.ts";

test.each([
  ["#000000", "#ffffff", 21],
  ["#777777", "#ffffff", 4.48],
  ["#3b4fc4", "#3b4fc4", 1],
])("the contrast of %s and %s is %d", (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBeCloseTo(ratio, 2);
});

test.each(["red", "#fff", "#3b4fc4;", "#3b4fc4}body{display:none", "#3b4fcg", "#3b4fc4\n", "url(//evil.example)", ""])(
  "%j is no color",
  (text) => {
    expect(isColor(text)).toBe(false);
  },
);

test("a color that cannot be read on its ground is found, with its contrast", () => {
  expect(findLowContrast("#ffff00", "light")).toBe(1);
  expect(findLowContrast("#000080", "dark")).toBe(1.1);
  expect(findLowContrast("#000080", "light")).toBeUndefined();
  expect(findLowContrast("#ffff00", "dark")).toBeUndefined();
});

test("every color that is accepted for light pages has a derived one for dark pages, and readable buttons", () => {
  for (const red of STEPS) {
    for (const green of STEPS) {
      for (const blue of STEPS) {
        const primaryColor = `#${red}${green}${blue}`;
        if (findLowContrast(primaryColor, "light") !== undefined) continue;
        const accents = toAccents({ primaryColor, primaryColorDark: "" });
        expect([primaryColor, findLowContrast(accents?.dark.accent ?? "#000000", "dark")]).toEqual([
          primaryColor,
          undefined,
        ]);
        for (const { accent, strong, text } of Object.values(accents ?? {})) {
          expect(contrast(accent, text)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(strong, text)).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  }
});

const STEPS = ["00", "33", "66", "99", "cc", "ff"];

test("the grounds are those of the stylesheet of pages", () => {
  const style = readFileSync("src/web/frame/base.css", "utf8");
  const colorsOf = (name: string) =>
    [...style.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, "g"))].map(([, color]) => color);
  expect([colorsOf("card"), colorsOf("ground")]).toEqual([
    [GROUNDS.light[0], GROUNDS.dark[0]],
    [GROUNDS.light[1], GROUNDS.dark[1]],
  ]);
});
