import { acceptedRegion } from "../../../src/web/frame/accepted-language.ts";

test.each([
  ["de-CH,de;q=0.9,en-US;q=0.8", "CH"],
  ["de,en-US;q=0.7,en;q=0.3", "DE"],
  ["en;q=0.5, fr-BE;q=0.9", "BE"],
  ["en", "US"],
  ["zh-Hant", "TW"],
  ["es-419", "419"],
  ["*", undefined],
  ["not_a_tag", undefined],
  ["x".repeat(10_000), undefined],
  ["", undefined],
  [undefined, undefined],
])("%j comes from a user in %s", (accepted, region) => {
  expect(acceptedRegion({ ...(accepted !== undefined && { "accept-language": accepted }) })).toBe(region);
});
