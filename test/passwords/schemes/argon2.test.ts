import { argon2Sync } from "node:crypto";
import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { argon2 } from "../../../src/passwords/schemes/argon2.ts";
import { base64, REAL_HASHES } from "../real-hashes.ts";
import { expectEndings, HUGE_NUMBERS, NOT_NUMBERS, testBounds } from "./expectations.ts";

test.each([
  "argon2id (reference implementation)",
  "argon2i (reference implementation)",
  "argon2d (reference implementation)",
] as const)("the parsed parts of %s verify its password", (name) => {
  const parsed = argon2.parse(REAL_HASHES[name]);
  if (!parsed.ok) throw new Error(parsed.problem);
  const { variant, memory, passes, lanes, salt, hash } = parsed.hash;
  const options = { message: "correct horse", nonce: salt, parallelism: lanes, tagLength: hash.length, memory, passes };
  expect(argon2Sync(variant, options)).toEqual(hash);
});

test.each([
  ["$v=16$", 16],
  ["$v=19$", 19],
  ["$", 16],
])("a hash with %s has version %i", (text, version) => {
  const value = `$argon2i${text}m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ`;
  expect(argon2.parse(value)).toMatchObject({ ok: true, hash: { variant: "argon2i", version } });
});

const withCost = (m: number | string, t: number | string, p: number | string) =>
  `$argon2id$v=19$m=${m},t=${t},p=${p}$c29tZXNhbHQ$${"A".repeat(43)}`;
const zeros = (length: number) => base64(new Uint8Array(length));
const withSizes = (salt: number, hash: number) => `$argon2id$v=19$m=64,t=1,p=1$${zeros(salt)}$${zeros(hash)}`;

testBounds([
  ["8 KiB", withCost(8, 1, 1), withCost(7, 1, 1), /argon2 memory .* from 8 to 1,048,576/],
  ["256 MiB", withCost(262_144, 1, 1), withCost(262_145, 1, 1), /argon2 memory .* of at most 262,144/],
  ["1 pass", withCost(8, 1, 1), withCost(8, 0, 1), /passes \(t\) from 1 to 1,000/],
  ["1,000 passes", withCost(8, 1000, 1), withCost(8, 1001, 1), /passes \(t\) from 1 to 1,000/],
  ["1 lane", withCost(8, 1, 1), withCost(8, 1, 0), /lanes \(p\) from 1 to 64/],
  ["64 lanes", withCost(1024, 1, 64), withCost(1024, 1, 65), /lanes \(p\) from 1 to 64/],
  ["8 KiB for each lane", withCost(24, 1, 3), withCost(23, 1, 3), /8 KiB for each lane/],
  ["16 passes over 256 MiB", withCost(262_144, 16, 1), withCost(262_144, 17, 1), /memory .* times passes .* 4,194,304/],
  ["the shortest salt", withSizes(8, 32), withSizes(7, 32), /a salt of 8 to 64 bytes/],
  ["the longest salt", withSizes(64, 32), withSizes(65, 32), /a salt of 8 to 64 bytes/],
  ["the shortest hash", withSizes(16, 12), withSizes(16, 11), /a hash of 12 to 64 bytes/],
  ["the longest hash", withSizes(16, 64), withSizes(16, 65), /a hash of 12 to 64 bytes/],
]);

test("a hash of an earlier import may take 1 GiB", () => {
  expect([withCost(1_048_576, 4, 1), withCost(1_048_577, 1, 1)].map((value) => argon2.parse(value).ok)).toEqual([
    true,
    false,
  ]);
});

test.each(NOT_NUMBERS)("memory of %j is rejected", (digits) => {
  expect(describeHashProblem(withCost(digits, 1, 1))).toMatch(/^must /);
});

test.each(HUGE_NUMBERS)("a cost of %s is rejected and does not overflow to a small number", (digits) => {
  expect(describeHashProblem(withCost(digits, 1, 1))).toMatch(/^must have argon2 memory/);
  expect(describeHashProblem(withCost(64, digits, 1))).toMatch(/^must have argon2 passes/);
  expect(describeHashProblem(withCost(64, 1, digits))).toMatch(/^must have argon2 lanes/);
});

test.each([
  ["32 bytes", 42, "AEIMQUYcgkosw048"],
  ["16 bytes", 21, "AQgw"],
])("the last character of a hash of %s has no bits beyond the last byte", (_what, before, endings) => {
  expectEndings(`$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$${"a".repeat(before)}`, endings);
});

test.each([
  ["another version", "$argon2id$v=18$m=64,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA"],
  ["another order of parameters", "$argon2id$v=19$t=1,m=64,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA"],
  ["too much padding", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ==$AAAAAAAAAAAAAAAAAAAAAA=="],
  ["too little padding", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ=$AAAAAAAAAAAAAAAAAAAAAA="],
  ["unused bits in base64", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQab$AAAAAAAAAAAAAAAAAAAAAA"],
])("a hash with %s is rejected", (_what, value) => {
  expect(describeHashProblem(value)).toMatch(/^must (?:be a complete|have) /);
});

test("base64 is accepted with and without padding", () => {
  const value = "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ=$AAAAAAAAAAAAAAAAAAAAAA==";
  expect(argon2.parse(value)).toEqual(argon2.parse(value.replaceAll(/=+(?=\$|$)/g, "")));
});
