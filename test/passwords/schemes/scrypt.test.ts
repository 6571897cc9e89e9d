import { scryptSync } from "node:crypto";
import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { scrypt } from "../../../src/passwords/schemes/scrypt.ts";
import { base64, REAL_HASHES } from "../real-hashes.ts";
import { expectEndings, HUGE_NUMBERS, testBounds } from "./expectations.ts";

test.each([
  ["scrypt (passlib)", "correct horse"],
  ["scrypt (Node)", "correct horse"],
  ["$7$ (libxcrypt)", "correct horse"],
  ["$7$ of the format's own description (pleaseletmein)", "pleaseletmein"],
] as const)("the parsed parts of %s verify its password", (name, password) => {
  const parsed = scrypt.parse(REAL_HASHES[name]);
  if (!parsed.ok) throw new Error(parsed.problem);
  const { logN, r, p, salt, hash } = parsed.hash;
  expect(scryptSync(password, salt, hash.length, { N: 2 ** logN, r, p, maxmem: 2 ** 28 })).toEqual(hash);
});

const phc = (ln: number | string, r: number | string, p: number | string) =>
  `$scrypt$ln=${ln},r=${r},p=${p}$c29tZXNhbHQ$${"A".repeat(43)}`;
const crypt = (ln: string, r: string, p: string) => `$7$${ln}${r}${p}salt$${"A".repeat(43)}`;
const zeros = (length: number) => base64(new Uint8Array(length));
const withSizes = (salt: number, hash: number) => `$scrypt$ln=14,r=8,p=1$${zeros(salt)}$${zeros(hash)}`;
const withSalt = (length: number) => `$7$C6..../....${"s".repeat(length)}$${".".repeat(43)}`;

testBounds([
  ["N=2", phc(1, 8, 1), phc(0, 8, 1), /scrypt cost .* from 1 to 22/],
  ["N=2^20", phc(20, 2, 1), phc(23, 2, 1), /scrypt cost .* from 1 to 22/],
  ["r=1", phc(15, 1, 1), phc(15, 0, 1), /block size/],
  ["N below 2^(16r)", phc(15, 1, 1), phc(16, 1, 1), /2 to the power of 16·r/],
  ["p=1", phc(14, 8, 1), phc(14, 8, 0), /parallelization/],
  ["256 MiB by N", phc(18, 8, 1), phc(19, 8, 1), /128·N·r and 128·r·p of at most 268,435,456/],
  ["256 MiB by r", phc(18, 8, 1), phc(18, 9, 1), /128·N·r and/],
  ["four times as much work by p", phc(14, 8, 64), phc(14, 8, 65), /128·N·r·p/],
  ["r of 2^20", phc(1, 1_048_576, 1), phc(1, 4_194_305, 1), /block size/],
  ["p of 2^21", phc(1, 1, 2_097_152), phc(1, 1, 4_194_305), /parallelization/],
  ["$7$ with N=2", crypt("/", "6....", "/...."), crypt(".", "6....", "/...."), /scrypt cost/],
  ["$7$ with 256 MiB", crypt("G", "6....", "/...."), crypt("H", "6....", "/...."), /128·N·r and/],
  ["$7$ with r=1", crypt("C", "/....", "/...."), crypt("C", ".....", "/...."), /block size/],
  ["$7$ with p=1", crypt("C", "6....", "/...."), crypt("C", "6....", "....."), /parallelization/],
  ["$7$ with p=64", crypt("C", "6....", "./..."), crypt("C", "6....", "//..."), /128·N·r·p/],
  ["the shortest salt", withSizes(1, 32), withSizes(0, 32), /complete scrypt hash/],
  ["the longest salt", withSizes(128, 32), withSizes(129, 32), /a salt of 1 to 128 bytes/],
  ["the shortest hash", withSizes(16, 16), withSizes(16, 15), /a hash of 16 to 64 bytes/],
  ["the longest hash", withSizes(16, 64), withSizes(16, 65), /a hash of 16 to 64 bytes/],
  ["the longest salt of $7$", withSalt(86), withSalt(87), /up to 86/],
]);

test("a hash of an earlier import may take 1 GiB", () => {
  expect([phc(20, 8, 1), phc(21, 8, 1)].map((value) => scrypt.parse(value).ok)).toEqual([true, false]);
});

test.each(HUGE_NUMBERS)("a cost of %s is rejected and does not overflow to a small number", (digits) => {
  expect(describeHashProblem(phc(digits, 8, 1))).toMatch(/^must have a scrypt cost/);
  expect(describeHashProblem(phc(14, digits, 1))).toMatch(/^must have a scrypt block size/);
  expect(describeHashProblem(phc(14, 8, digits))).toMatch(/^must have a scrypt parallelization/);
});

test("the last character of a $7$ hash has no bits beyond the last byte", () => {
  expectEndings(`$7$C6..../....salt$${"a".repeat(42)}`, "./0123456789ABCD");
});

test("base64 is accepted with and without padding", () => {
  const value = `$scrypt$ln=14,r=8,p=1$c29tZXNhbHQ=$${"A".repeat(43)}=`;
  expect(scrypt.parse(value)).toEqual(scrypt.parse(value.replaceAll(/=(?=\$|$)/g, "")));
});

test.each([
  [1_024, 10],
  [16_384, 14],
  [1_048_576, 20],
])("a cost of %i is read as N and converted to its logarithm", (n, ln) => {
  expect(scrypt.parse(phc(n, 8, 1))).toEqual(scrypt.parse(phc(ln, 8, 1)));
});

test.each([512, 1_023, 1_025, 2_097_152, 2 ** 60])("a cost of %i is rejected, as a logarithm and as N", (n) => {
  expect(describeHashProblem(phc(n, 8, 1))).toMatch(/^must have (?:a scrypt cost|scrypt parameters)/);
});
