import { findReadable } from "../../console/screens/sign-in/accent.ts";
import { findLowContrast } from "../../src/branding/accent.ts";

test.each([
  ["#ffff00", "light", "#757500"],
  ["#777777", "light", "#717171"],
  ["#000080", "dark", "#7a7abd"],
  ["#0f766e", "light", undefined],
  ["#0f76", "light", undefined],
] as const)("the nearest color to %s that can be read on %s pages is %s", (color, scheme, nearest) => {
  expect(findReadable(color, scheme)).toBe(nearest);
  if (nearest) expect(findLowContrast(nearest, scheme)).toBeUndefined();
});
