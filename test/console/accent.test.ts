import { findReadable, toAccents } from "../../console/screens/sign-in/accent.ts";
import { findLowContrast, toAccents as toServiceAccents } from "../../src/branding/accent.ts";

test.each([
  ["#0f766e", ""],
  ["#3D4FD1", ""],
  ["#000000", ""],
  ["#7a1f5c", "#ffb3e6"],
  ["#b42318", "#ff9d94"],
  ["#767676", ""],
])("the preview has the colors of the service for %s and %s", (primaryColor, primaryColorDark) => {
  const shown = toAccents(primaryColor, primaryColorDark);
  const real = toServiceAccents({ primaryColor: primaryColor.toLowerCase(), primaryColorDark });
  expect(shown?.light).toEqual({ accent: real?.light.accent, onAccent: real?.light.text });
  expect(shown?.dark).toEqual({ accent: real?.dark.accent, onAccent: real?.dark.text });
});

test.each([
  ["", ""],
  ["#0f76", ""],
  ["#0f766e", "#0f"],
])("%s and %s are no colors yet", (light, dark) => {
  expect(toAccents(light, dark)).toBeUndefined();
});

test.each([
  ["#ffff00", "light", "#757500"],
  ["#777777", "light", "#717171"],
  ["#000080", "dark", "#7a7abd"],
  ["#0f766e", "light", undefined],
  ["#0f76", "light", undefined],
] as const)("the nearest color to %s that can be read on %s pages is %s", (color, scheme, nearest) => {
  expect(findReadable(color, scheme)).toBe(nearest);
  // The service agrees.
  if (nearest)
    expect([findLowContrast(color, scheme), findLowContrast(nearest, scheme)]).toEqual([expect.any(Number), undefined]);
});
