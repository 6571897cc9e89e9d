import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { shaCrypt } from "../../../src/passwords/schemes/sha-crypt.ts";
import { expectEndings, HUGE_NUMBERS, NOT_NUMBERS, testBounds } from "./expectations.ts";

const HASH_256 = "qOfjCda6YN/JiGzcA4MkoJaIXdhJzf.qd.KJPQZ7TA/";
const HASH_512 = "YymDQcDiPAPffG37wC0ejpCZb/xQsJhGY1cHJm2zkZSqidwOudukvGlotbMGQxkhtPRs0ZAbTYxJp96xB5KQ91";

test.each([
  [`$5$rounds=1000$salt$${HASH_256}`, { digest: "sha256", rounds: 1_000, salt: "salt", hash: HASH_256 }],
  [`$5$salt$${HASH_256}`, { digest: "sha256", rounds: 5_000, salt: "salt", hash: HASH_256 }],
  [`$6$rounds=10000$salt$${HASH_512}`, { digest: "sha512", rounds: 10_000, salt: "salt", hash: HASH_512 }],
])("%s is parsed into digest, rounds, salt and hash", (value, parts) => {
  expect(shaCrypt.parse(value)).toEqual({ ok: true, hash: { scheme: "SHA-crypt", ...parts } });
});

const withRounds = (rounds: number | string) => `$6$rounds=${rounds}$salt$${".".repeat(86)}`;
const withSalt = (length: number) => `$5$${"s".repeat(length)}$${".".repeat(43)}`;

testBounds([
  ["1,000 rounds", withRounds(1000), withRounds(999), /SHA-crypt rounds from 1,000 to 3,000,000/],
  ["3,000,000 rounds", withRounds(3_000_000), withRounds(3_000_001), /SHA-crypt rounds/],
  ["the longest salt", withSalt(16), withSalt(17), /up to 16/],
  ["the shortest salt", withSalt(1), withSalt(0), /up to 16/],
]);

test.each(NOT_NUMBERS)("%j rounds are rejected", (digits) => {
  expect(describeHashProblem(withRounds(digits))).toMatch(/^must /);
});

test.each(HUGE_NUMBERS)("a count of %s rounds is rejected and does not overflow to a small number", (digits) => {
  expect(describeHashProblem(withRounds(digits))).toMatch(/^must have SHA-crypt rounds from/);
});

test.each([
  ["SHA-256", `$5$salt$${"a".repeat(42)}`, "./0123456789ABCD"],
  ["SHA-512", `$6$salt$${"a".repeat(85)}`, "./01"],
])("the last character of a hash of %s has no bits beyond the last byte", (_what, start, endings) => {
  expectEndings(start, endings);
});

test("a salt without a hash is rejected", () => {
  expect(describeHashProblem("$6$rounds=5000$saltstring$")).toBe(
    "must be a complete SHA-crypt hash: " + "$6$rounds=<rounds>$<up to 16 characters of salt>$<86 characters of hash>",
  );
});
