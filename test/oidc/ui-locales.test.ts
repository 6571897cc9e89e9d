import { toLanguage } from "../../src/oidc/interactions.ts";

test.each([
  [undefined, undefined],
  ["ja", undefined],
  ["ja de-AT en", "de"],
  [`${"ja ".repeat(9)}fr`, "fr"],
  [`${"ja ".repeat(10)}fr`, undefined],
])("ui_locales %j selects %j, from the first ten tags", (locales, language) => {
  expect(toLanguage(locales)).toBe(language);
});
