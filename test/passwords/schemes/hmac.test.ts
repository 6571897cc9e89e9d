import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { testBounds } from "./expectations.ts";

const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");
const hmac = (digits: string, key: Buffer = Buffer.alloc(16)) => `$hmac-sha256$${base64(digits)}$${base64(key)}`;
const DIGITS = "0123456789abcdef".repeat(4);

testBounds([
  ["the longest key", hmac(DIGITS, Buffer.alloc(128)), hmac(DIGITS, Buffer.alloc(129)), /of 1 to 128 bytes/],
  ["a whole hash", hmac(DIGITS), hmac(`${DIGITS}0`), /complete HMAC hash/],
]);

test.each([
  ["capital digits", hmac(DIGITS.toUpperCase())],
  ["the hash itself instead of its digits", `$hmac-sha256$${Buffer.alloc(32).toString("base64")}$AA==`],
  ["no key", `$hmac-sha256$${base64(DIGITS)}$`],
  ["the digits of another digest", hmac(DIGITS.slice(0, 40))],
])("%s is rejected", (_what, hash) => {
  expect(describeHashProblem(hash)).toMatch(/^must be a complete HMAC hash/);
});
