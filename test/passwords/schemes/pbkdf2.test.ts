import { pbkdf2Sync } from "node:crypto";
import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { pbkdf2 } from "../../../src/passwords/schemes/pbkdf2.ts";
import { base64, REAL_HASHES } from "../real-hashes.ts";
import { HUGE_NUMBERS, NOT_NUMBERS, testBounds } from "./expectations.ts";

test.each([
  ["PBKDF2 of SHA-1 (passlib)", "sha1"],
  ["PBKDF2 of SHA-256 (passlib)", "sha256"],
  ["PBKDF2 of SHA-512 (passlib)", "sha512"],
  ["PBKDF2 of SHA-1, named (Node)", "sha1"],
  ["PBKDF2 of SHA-224 (Node)", "sha224"],
  ["PBKDF2 of SHA-384 (Node)", "sha384"],
] as const)("the parsed parts of %s verify its password", (name, expected) => {
  const parsed = pbkdf2.parse(REAL_HASHES[name]);
  if (!parsed.ok) throw new Error(parsed.problem);
  const { digest, iterations, salt, hash } = parsed.hash;
  expect(digest).toBe(expected);
  expect(pbkdf2Sync("correct horse", salt, iterations, hash.length, digest)).toEqual(hash);
});

test.each(["i=25000", "i=25000,l=16", "25000"])("the parameters %s mean 25,000 iterations", (parameters) => {
  const value = `$pbkdf2-sha256$${parameters}$c2FsdA$${"A".repeat(22)}`;
  expect(pbkdf2.parse(value)).toEqual({
    ok: true,
    hash: {
      scheme: "PBKDF2",
      digest: "sha256",
      iterations: 25_000,
      salt: Buffer.from("salt"),
      hash: Buffer.alloc(16),
    },
  });
});

const withIterations = (iterations: number | string) => `$pbkdf2-sha256$${iterations}$c29tZXNhbHQ$${"A".repeat(43)}`;
const zeros = (length: number) => base64(new Uint8Array(length));
const withSizes = (salt: number, hash: number) => `$pbkdf2-sha512$i=1000$${zeros(salt)}$${zeros(hash)}`;

testBounds([
  ["1 iteration", withIterations(1), withIterations(0), /PBKDF2 iterations from 1 to 10,000,000/],
  ["10,000,000 iterations", withIterations(10_000_000), withIterations(10_000_001), /PBKDF2 iterations from 1/],
  ["the longest salt", withSizes(128, 64), withSizes(129, 64), /a salt of 1 to 128 bytes/],
  ["the shortest hash", withSizes(16, 16), withSizes(16, 15), /a hash of 16 to 64 bytes/],
  ["the longest hash", withSizes(16, 64), withSizes(16, 65), /a hash of 16 to 64 bytes/],
]);

test.each([
  ["one block of SHA-1", "sha1", 20, 10_000_000],
  ["a second block of SHA-1", "sha1", 21, 5_000_000],
  ["a fourth block of SHA-1", "sha1", 64, 2_500_000],
  ["one block of SHA-512", "sha512", 64, 10_000_000],
  ["a third block of SHA-224", "sha224", 57, 3_333_333],
])("the maximum number of iterations depends on the number of blocks: %s", (_what, digest, bytes, iterations) => {
  const hash = (count: number) => `$pbkdf2-${digest}$${count}$c29tZXNhbHQ$${zeros(bytes)}`;
  expect(describeHashProblem(hash(iterations))).toBeUndefined();
  expect(describeHashProblem(hash(iterations + 1))).toMatch(/PBKDF2 iterations/);
});

test.each(NOT_NUMBERS)("%j iterations are rejected", (digits) => {
  expect(describeHashProblem(withIterations(digits))).toMatch(/^must /);
});

test.each(HUGE_NUMBERS)("a count of %s iterations is rejected and does not overflow to a small number", (digits) => {
  expect(describeHashProblem(withIterations(digits))).toMatch(/^must have PBKDF2 iterations from/);
});

test.each([
  ["a length that is not the hash's", "$pbkdf2-sha256$i=1000,l=20$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA"],
  ["a salt in both alphabets", "$pbkdf2-sha256$1000$c29t.XNh+HQA$AAAAAAAAAAAAAAAAAAAAAA"],
])("a hash with %s is rejected", (_what, value) => {
  expect(describeHashProblem(value)).toMatch(/^must (?:be a complete|have) /);
});

const django = (iterations: number | string, salt: string, hash: string) =>
  `pbkdf2_sha256$${iterations}$${salt}$${hash}`;
const HASH_32 = `${"A".repeat(43)}=`;

test("in Django's form, the salt is the text itself", () => {
  expect(pbkdf2.parse(django(600_000, "dJaNgO5a1t", HASH_32))).toEqual({
    ok: true,
    hash: {
      scheme: "PBKDF2",
      digest: "sha256",
      iterations: 600_000,
      salt: Buffer.from("dJaNgO5a1t"),
      hash: Buffer.alloc(32),
    },
  });
});

testBounds([
  [
    "10,000,000 iterations in Django's form",
    django(10_000_000, "s", HASH_32),
    django(10_000_001, "s", HASH_32),
    /from 1/,
  ],
  [
    "the longest salt in Django's form",
    django(1, "s".repeat(128), HASH_32),
    django(1, "s".repeat(129), HASH_32),
    /salt/,
  ],
  ["32 bytes of hash", django(1, "s", HASH_32), django(1, "s", `${"A".repeat(27)}=`), /a hash of 32 bytes/],
  ["a salt in Django's form", django(1, "s", HASH_32), django(1, "", HASH_32), /complete PBKDF2 hash/],
]);

test("base64 is accepted with and without padding", () => {
  const value = `$pbkdf2-sha256$1000$c2FsdA==$${HASH_32}`;
  expect(pbkdf2.parse(value)).toEqual(pbkdf2.parse(value.replaceAll("=", "")));
});
