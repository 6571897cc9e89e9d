import { createHash } from "node:crypto";
import { phpass } from "../../../src/passwords/schemes/phpass.ts";
import { REAL_HASHES } from "../real-hashes.ts";
import { expectEndings, testBounds } from "./expectations.ts";

test.each([
  ["phpass (passlib)", "correct horse"],
  ["phpass of phpBB (passlib)", "correct horse"],
  ["phpass of its own tests (test12345)", "test12345"],
] as const)("the parsed parts of %s verify its password", (name, password) => {
  const parsed = phpass.parse(REAL_HASHES[name]);
  if (!parsed.ok) throw new Error(parsed.problem);
  const { cost, salt, hash } = parsed.hash;
  const md5 = (start: string | Buffer) => createHash("md5").update(start).update(password).digest();
  let digest = md5(salt);
  for (let round = 0; round < 2 ** cost; round++) digest = md5(digest);
  expect(digest).toEqual(hash);
});

const withCost = (cost: string) => `$P$${cost}saltsalt${".".repeat(22)}`;

testBounds([
  ["cost 7", withCost("5"), withCost("4"), /phpass cost \(log2\) from 7 to 22/],
  ["cost 22", withCost("K"), withCost("L"), /phpass cost/],
]);

test("the last character of a hash has no bits beyond the last byte", () => {
  expectEndings(`$P$Bsaltsalt${"a".repeat(21)}`, "./01");
});
