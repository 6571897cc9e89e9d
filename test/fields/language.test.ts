import {
  canonicalLanguage,
  describeLanguageProblem,
  describeStoredLanguageProblem,
} from "../../src/fields/language.ts";
import { cpuMsOf, MAX_MS } from "../support/cpu-time.ts";

test.each([
  ["de", "de"],
  ["EN-gb", "en-GB"],
  ["ZH-hans-cn", "zh-Hans-CN"],
  ["es-419", "es-419"],
  ["de-1901", "de-1901"],
  ["sl-rozaj-biske", "sl-biske-rozaj"],
  ["iw", "he"],
  ["sh", "sr-Latn"],
  ["zh-yue-HK", "yue-HK"],
  ["zh-cmn", "zh"],
  ["zh-guoyu", "zh"],
  ["i-klingon", "tlh"],
  ["I-DEFAULT", "i-default"],
  ["en-GB-oed", "en-GB-oxendict"],
  ["sgn-BE-FR", "sfb"],
  ["zh-min", "zh-min"],
  ["zh-min-nan", "nan"],
  ["no-bok", "nb"],
  ["art-lojban", "jbo"],
  ["en_US", "en-US"],
  ["zh_hans_CN", "zh-Hans-CN"],
  ["de-DE-u-co-phonebk", "de-DE-u-co-phonebk"],
  ["en-x-1901-1901", "en-x-1901-1901"],
  ["und", "und"],
])("%s is well-formed and canonical as %s", (tag, canonical) => {
  expect(describeLanguageProblem(tag)).toBeUndefined();
  expect(canonicalLanguage(tag)).toBe(canonical);
  expect(canonicalLanguage(canonical)).toBe(canonical);
  expect(describeLanguageProblem(canonical)).toBeUndefined();
});

test.each([
  ["nothing", ""],
  ["private use alone", "x-klingon"],
  ["an underscore at the end", "en_"],
  ["a POSIX locale", "de_DE.UTF-8"],
  ["one letter", "d"],
  ["a name that is no language", "klingonese"],
  ["four letters", "engl"],
  ["a digit", "d1"],
  ["a leading hyphen", "-de"],
  ["a trailing hyphen", "de-"],
  ["two hyphens", "de--CH"],
  ["a subtag of nine", "de-abcdefghi"],
  ["a region before the script", "zh-CN-Hans"],
  ["two extended languages", "zh-yue-cmn"],
  ["a variant twice", "de-1901-1901"],
  ["a variant twice in another case", "sl-rozaj-ROZAJ"],
  ["a singleton twice", "en-a-bb-a-cc"],
  ["an empty extension", "en-u"],
  ["empty private use", "en-x"],
  ["unknown grandfathered tags", "i-foo"],
  ["a space", "de "],
  ["a line break", "de\n"],
  ["a letter that lower-cases into ASCII", "\u212ar"],
  ["a letter that upper-cases into ASCII", "\u017fr"],
  ["a NUL", "de\0"],
  ["a lone surrogate", "\ud800"],
  ["a tag of more than 100 characters", `de-x${"-a".repeat(49)}`],
])("%s is refused, and left unchanged", (_what, tag) => {
  expect(describeLanguageProblem(tag)).toBe("must be a BCP 47 language tag, such as de or en-GB");
  expect(canonicalLanguage(tag)).toBe(tag);
});

test.each([
  ["de-Latn-DE", undefined],
  ["zh-min-nan", undefined],
  ["en-GB-oed", "must be at most 10 characters in its canonical form, en-GB-oxendict"],
  ["sh-BA-ekavsk", "must be at most 10 characters in its canonical form, sr-Latn-BA-ekavsk"],
  ["Deutsch", "must be a BCP 47 language tag, such as de or en-GB; the tag for Deutsch is de"],
  ["english", "must be a BCP 47 language tag, such as de or en-GB; the tag for english is en"],
])("the tag that is stored for %s is bounded", (tag, problem) => {
  expect(describeStoredLanguageProblem(tag)).toBe(problem);
});

test(`a long tag takes at most ${MAX_MS} ms`, async () => {
  const variants = Array.from({ length: 10_000 }, (_, at) => (at + 36 ** 4).toString(36));
  const tag = `de-${variants.join("-")}`;
  expect(await cpuMsOf(() => describeStoredLanguageProblem(tag))).toBeLessThanOrEqual(MAX_MS);
});
