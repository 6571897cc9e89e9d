import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { HUGE_NUMBERS, NOT_NUMBERS, testBounds } from "./expectations.ts";

const zeros = (bytes: number) => Buffer.alloc(bytes).toString("base64");
const md5 = (factor: string, salt = zeros(8), hash = zeros(16)) => `$salted-md5$${factor}$${salt}$${hash}`;

testBounds([
  ["the lowest factor", md5("1"), md5("0"), /factor from 1 to 3,000,000/],
  ["the highest factor", md5("3000000"), md5("3000001"), /factor from 1 to 3,000,000/],
  ["the longest salt", md5("1", zeros(128)), md5("1", zeros(129)), /salt of 1 to 128 bytes/],
  ["a whole hash", md5("1"), md5("1", zeros(8), zeros(15)), /hash of 16 to 16 bytes/],
]);

test.each([...NOT_NUMBERS, ...HUGE_NUMBERS])("the factor %j is rejected", (factor) => {
  expect(describeHashProblem(md5(factor))).toMatch(/^must (be a complete FusionAuth hash|have a FusionAuth factor)/);
});
