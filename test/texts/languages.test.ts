import { chooseLanguage } from "../../src/texts/languages.ts";

test.each([
  ["en", "en"],
  ["de", "de"],
  ["fr", "fr"],
  ["es", "es"],
  ["de-CH", "de"],
  ["de-Latn-CH-1996", "de"],
  ["en-GB-oxendict", "en"],
  ["fr-CA-x-private", "fr"],
  ["es-419", "es"],
  ["ES-mx", "es"],
  ["deu", "de"],
  ["fre", "fr"],
])("%s selects %s", (tag, language) => {
  expect(chooseLanguage(tag)).toBe(language);
});

test.each([
  ["another language", "tlh"],
  ["another language in the country of one of ours", "gsw-DE"],
  ["one whose subtag begins like one of ours", "den"],
  ["one of ours as a region", "tlh-DE"],
  ["one of ours for private use", "x-de"],
  ["a grandfathered tag", "i-navajo"],
  ["no tag", "de_CH"],
  ["a word", "deutsch"],
  ["nothing", ""],
  ["every language", "*"],
  ["a name of every object", "constructor"],
])("%s selects no language: %s", (_what, tag) => {
  expect(chooseLanguage(tag)).toBeUndefined();
});

test("no preference selects no language", () => {
  expect(chooseLanguage(null)).toBeUndefined();
});
