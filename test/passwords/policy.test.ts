import {
  describePasswordProblem,
  findPasswordProblem,
  isVerifiablePassword,
  LONGEST_PASSWORD,
} from "../../src/passwords/policy.ts";

describe("a password for an import", () => {
  test.each(["a", "a".repeat(72), "ä".repeat(36), "😀".repeat(18), " ", "\n"])("may be %j", (password) => {
    expect(describePasswordProblem(password)).toBeUndefined();
  });

  test.each([
    ["empty", "", "must not be empty"],
    ["of 73 bytes", "a".repeat(73), "must be at most 72 bytes of UTF-8, is 73"],
    ["of 37 letters of two bytes", "ä".repeat(37), "must be at most 72 bytes of UTF-8, is 74"],
    ["of 19 characters of four bytes", "😀".repeat(19), "must be at most 72 bytes of UTF-8, is 76"],
    ["with a NUL", "secret\0more", "must not contain the character U+0000"],
    ["with a lone surrogate", "secret\ud800", "must be well-formed Unicode"],
  ])("must not be %s", (_what, password, description) => {
    expect(describePasswordProblem(password)).toBe(description);
  });
});

describe("a password that a user chooses", () => {
  test.each(["correcthorse", "😀".repeat(8), " ".repeat(8), "a".repeat(72)])("may be %j", (password) => {
    expect(findPasswordProblem(password)).toBeUndefined();
  });

  test.each([
    ["", "too-short"],
    ["1234567", "too-short"],
    ["😀".repeat(7), "too-short"],
    ["a".repeat(73), "too-long"],
    ["😀".repeat(19), "too-long"],
    ["12345678\0", "not-text"],
    ["12345678\ufffd", "not-text"],
    ["12345678\ud800", "not-text"],
    ["12345678", "common"],
    ["iloveyou", "common"],
    ["PASSWORD", "common"],
    ["Qwertyuiop", "common"],
    ["passwort", "common"],
    ["motdepasse", "common"],
  ])("must not be %j: %s", (password, problem) => {
    expect(findPasswordProblem(password)).toBe(problem);
  });

  test("may be longer with argon2id", () => {
    const { argon2id: longest } = LONGEST_PASSWORD;
    expect(findPasswordProblem("ab".repeat(256), { longest })).toBeUndefined();
    expect(findPasswordProblem(`${"ab".repeat(256)}c`, { longest })).toBe("too-long");
  });

  const names = ["ada.byron", "Augusta Ada Lovelace", "ada@engines.example.com", "Signet", "id.example.org", ""];

  test.each([
    "byronada",
    "Lovelace1815",
    "ada.byron",
    "ADA-LOVELACE!",
    "ada@engines.example.com",
    "signet2026",
    "Signet:Ada:1",
    "xx lovelace",
  ])("must not consist of names: %s", (password) => {
    expect(findPasswordProblem(password, { names })).toBe("personal");
  });

  test.each(["lovelace engine", "adamant octopus", "12-10-1815", "byronic hero", "my signet ring"])(
    "may contain a name: %s",
    (password) => {
      expect(findPasswordProblem(password, { names })).toBeUndefined();
    },
  );
});

test("a password that is verified may be longer than a new one, and must be text", () => {
  expect(["a", "a".repeat(512), "pass\ufffd"].filter((password) => !isVerifiablePassword(password))).toEqual([]);
  expect(["", "a".repeat(513), "a\0", "a\ud800"].filter(isVerifiablePassword)).toEqual([]);
});
