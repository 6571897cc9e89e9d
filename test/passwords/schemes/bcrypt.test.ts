import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { bcrypt } from "../../../src/passwords/schemes/bcrypt.ts";
import { expectEndings, testBounds } from "./expectations.ts";

test("a hash is parsed into version, cost, salt and hash", () => {
  expect(bcrypt.parse("$2y$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW")).toEqual({
    ok: true,
    hash: {
      scheme: "bcrypt",
      version: "2y",
      cost: 4,
      salt: "......................",
      hash: "IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW",
    },
  });
});

const hash = (cost: string) => `$2b$${cost}$${".".repeat(53)}`;

testBounds([
  ["bcrypt cost 4", hash("04"), hash("03"), /bcrypt cost from 4 to 16/],
  ["bcrypt cost 16", hash("16"), hash("17"), /bcrypt cost from 4 to 16/],
]);

test("the last character of a hash has no bits beyond the last byte", () => {
  expectEndings(`$2b$10$${"a".repeat(21)}u${"a".repeat(30)}`, ".CGKOSWaeimquy26");
});

test("the last character of a salt has no bits beyond the last byte", () => {
  const alphabet = [..."./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
  const withLast = (last: string) => `$2b$10$${"a".repeat(21)}${last}${"a".repeat(31)}`;
  expect(alphabet.filter((last) => describeHashProblem(withLast(last)) === undefined)).toEqual([".", "O", "e", "u"]);
});

test("a cost of one digit is rejected", () => {
  const value = "$2b$4$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW";
  expect(describeHashProblem(value)).toMatch(/^must be a complete bcrypt hash/);
});
