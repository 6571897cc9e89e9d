import { describeUserNameProblem, userNameKey } from "../../src/fields/user-name.ts";
import { cpuMsOf, MAX_MS } from "../support/cpu-time.ts";

test.each([
  ["letters in another case", "Jane.Doe", "jANE.dOE"],
  ["a combining accent", "Jos\u00e9", "JOSE\u0301"],
  ["the Kelvin sign", "\u212aarl", "karl"],
  ["a final sigma", "ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
  ["a sigma typed as not final", "ΟΔΥΣΣΕΥΣ", "οδυσσευσ"],
  ["a dotted capital I, composed or not", "\u0130zmir", "I\u0307zmir"],
  ["a no-break space", "Jane\u00a0Doe", "Jane Doe"],
  ["an ideographic space", "山田\u3000太郎", "山田 太郎"],
  ["two spaces", "Jane  Doe", "Jane Doe"],
])("%s is the same user", (_what, one, other) => {
  expect(userNameKey(one)).toBe(userNameKey(other));
});

test.each([
  ["the dotless i", "ılgaz", "ilgaz"],
  ["the sharp s", "strauß", "strauss"],
  ["an accent", "jose", "josé"],
  ["a full-width letter", "ｊane", "jane"],
])("%s is another user", (_what, one, other) => {
  expect(userNameKey(one)).not.toBe(userNameKey(other));
});

test("the key of a key is the key itself, and canonically equivalent names share it, for every character", () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (/[\p{Cs}\p{Co}\p{Cn}]/u.test(character)) continue;
    for (const name of [
      character,
      `${character}\u0307`,
      `${character}\u0323\u0307`,
      `A${character}`,
      `AΣ${character}`,
    ]) {
      const key = userNameKey(name);
      if (userNameKey(key) !== key || userNameKey(name.normalize("NFD")) !== key) wrong.push(name);
    }
  }
  expect(wrong).toEqual([]);
});

test("a lone surrogate has a key too", () => {
  expect(userNameKey("A\ud800")).toBe("a\ud800");
});

test.each([
  "j",
  "jane@example.com",
  "Jane Doe",
  "山田",
  "می\u200cخواهم",
  "क्\u200dष",
  "😀".repeat(500),
  "İ".repeat(500),
])("%s is accepted", (name) => {
  expect(describeUserNameProblem(name)).toBeUndefined();
});

test.each([
  ["nothing", "", "must not be empty"],
  ["501 code points", "😀".repeat(501), "must be at most 500 characters, is 501"],
  ["a NUL", "ja\0ne", /U\+0000/],
  ["a line break", "ja\nne", /U\+000A/],
  ["a C1 control character", "ja\u0085ne", /U\+0085/],
  ["a line separator", "ja\u2028ne", /U\+2028/],
  ["a bidirectional override", "ja\u202ene", /U\+202E/],
  ["a zero-width space", "ja\u200bne", /U\+200B/],
  ["a joiner between Latin letters", "ja\u200dne", /U\+200D/],
  ["an emoji sequence, which could look like another", "👩\u200d👩\u200d👧", /U\+200D/],
  ["a variation selector", "葛\u{e0100}", /U\+E0100/],
  ["a lone surrogate", "ja\ud800ne", /U\+D800/],
  ["a combining mark alone", "\u0301", /must contain a letter/],
  ["a name whose key no index could hold", "\u{1d160}".repeat(500), /2000 bytes/],
])("%s is refused", (_what, name, description) => {
  expect(describeUserNameProblem(name)).toMatch(description);
});

test(`a long text with marks to be sorted takes at most ${MAX_MS} ms`, async () => {
  const text = `a${"\u0301\u0316".repeat(16_000)}`;
  expect(userNameKey(text)).toBe(text);
  expect(await cpuMsOf(() => userNameKey(text))).toBeLessThanOrEqual(MAX_MS);
});
