import { findInvisible } from "../../src/fields/invisible.ts";
import { cutName, describeInvisibleProblem, describeNameProblem } from "../../src/fields/name.ts";
import { cpuMsOf, MAX_MS } from "../support/cpu-time.ts";

describe("a name is accepted", () => {
  test.each([
    "Ada",
    "O’Brien-Smith, Jr. (3rd)",
    "María José",
    "Jose\u0301",
    "山田\u3000太郎",
    "卡尔·马克思",
    "محمّد",
    "می\u200cخواهم",
    "بِ\u200cبَ",
    "क्\u200dष",
    "ക്\u200cഷ",
    "葛\u{e0100}城",
    "😀".repeat(200),
    "❤\ufe0f",
    "👩\u200d👩\u200d👧",
    "👋🏽",
    "🇨🇭",
    "1\ufe0f\u20e3",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  ])("%j", (name) => {
    expect(describeNameProblem(name)).toBeUndefined();
  });
});

describe("a name is rejected", () => {
  test.each([
    ["NUL", "a\0b", "U+0000"],
    ["a line break", "a\nb", "U+000A"],
    ["a tab", "a\tb", "U+0009"],
    ["a C1 control character", "a\u0085b", "U+0085"],
    ["a line separator", "a\u2028b", "U+2028"],
    ["a bidirectional override", "a\u202eb", "U+202E"],
    ["a bidirectional isolate", "a\u2066b", "U+2066"],
    ["a bidirectional mark", "a\u200fb", "U+200F"],
    ["a zero-width space", "a\u200bb", "U+200B"],
    ["a word joiner", "a\u2060b", "U+2060"],
    ["a byte order mark", "a\ufeffb", "U+FEFF"],
    ["a soft hyphen", "a\u00adb", "U+00AD"],
    ["a Hangul filler", "a\u3164b", "U+3164"],
    ["a blank Braille pattern", "\u2800", "U+2800"],
    ["a tag without a flag", "a\u{e0041}", "U+E0041"],
    ["a private-use character", "a\ue000", "U+E000"],
    ["an unassigned character", "a\u0378", "U+0378"],
    ["a noncharacter", "a\uffff", "U+FFFF"],
    ["a lone surrogate", "a\ud800", "U+D800"],
    ["a joiner between Latin letters", "a\u200db", "U+200D"],
    ["a non-joiner between Latin letters", "a\u200cb", "U+200C"],
    ["a non-joiner after an Arabic letter that does not join the next", "دا\u200cرا", "U+200C"],
    ["a non-joiner before a space", "می\u200c خواهم", "U+200C"],
    ["a non-joiner at the end", "می\u200c", "U+200C"],
    ["two non-joiners", "می\u200c\u200cخواهم", "U+200C"],
    ["two joiners after a virama", "क्\u200d\u200dष", "U+200D"],
    ["a joiner after an emoji sequence", "👩\u200d👧\u200d", "U+200D"],
    ["a joiner between an emoji and a letter", "👩\u200dx", "U+200D"],
    ["a variation selector after a letter", "a\ufe0f", "U+FE0F"],
    ["an ideograph's variation selector after a letter", "a\u{e0100}", "U+E0100"],
  ])("with %s", (_what, name, character) => {
    expect(describeNameProblem(name)).toMatch(`must not contain ${character}:`);
  });

  test.each([
    ["nothing", "", "must not be empty"],
    ["201 characters", "😀".repeat(201), "must be at most 200 characters, is 201"],
    ["a combining mark alone", "\u0301", /must contain a letter/],
    ["combining marks and spaces", "\u0301 \u0301", /must contain a letter/],
  ])("of %s", (_what, name, description) => {
    expect(describeNameProblem(name)).toMatch(description);
  });
});

test("every character that is invisible by its Unicode properties is found, and no other", () => {
  const wrong: string[] = [];
  for (let code = 0; code < 0xf0000; code++) {
    // No code points are assigned in the planes in between.
    if (code === 0x34000) code = 0xe0000;
    const character = String.fromCodePoint(code);
    const refused = code === 0x2800 || /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(character);
    for (const sequences of [true, false]) {
      const found = findInvisible(`a${character}b`, { sequences });
      const expected = refused ? `U+${code.toString(16).toUpperCase().padStart(4, "0")}` : undefined;
      if (found !== expected) wrong.push(`${code.toString(16)}: ${found}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe("a name is truncated", () => {
  test.each([
    ["not at all when it is short enough", "😀".repeat(200), "😀".repeat(200)],
    ["after 200 characters", "x".repeat(250), "x".repeat(200)],
    ["before a space at the end", `${"x".repeat(199)} y`, "x".repeat(199)],
    ["before an accent's letter", `${"x".repeat(199)}e\u0301`, "x".repeat(199)],
    ["before an emoji sequence", `${"x".repeat(198)}👩\u200d👩\u200d👧`, "x".repeat(198)],
  ])("%s", (_what, name, cut) => {
    expect(cutName(name)).toBe(cut);
  });
});

test(`a long text with invisible characters takes at most ${MAX_MS} ms`, async () => {
  const text = "\u{1f468}\u200d".repeat(100_000);
  expect(describeInvisibleProblem(text, { sequences: true })).toBe("is too long");
  expect(await cpuMsOf(() => describeInvisibleProblem(text, { sequences: true }))).toBeLessThanOrEqual(MAX_MS);
});
