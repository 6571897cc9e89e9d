import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { wordPress } from "../../../src/passwords/schemes/wordpress.ts";
import { VECTORS } from "../vectors.ts";
import { testBounds } from "./expectations.ts";

const hash = (cost: string) => `$wp$2y$${cost}$${".".repeat(53)}`;

testBounds([
  ["bcrypt cost 4", hash("04"), hash("03"), /bcrypt cost from 4 to 16/],
  ["bcrypt cost 16", hash("16"), hash("17"), /bcrypt cost from 4 to 16/],
]);

test.each(["$wp$2b$10$", "$wp$", "$wp$$2y$10$", "$wp$argon2id$v=19$"])(
  "a hash that starts with %s is rejected",
  (start) => {
    expect(describeHashProblem(start + ".".repeat(53))).toMatch(/^must be a complete WordPress hash/);
  },
);

test("a password is verified beyond its first 72 bytes", () => {
  const vector = VECTORS.find(({ hash, password }) => hash.startsWith("$wp$") && password.length > 80);
  const parsed = wordPress.parse(vector?.hash ?? "");
  if (!parsed.ok || vector === undefined) throw new Error("there is no vector");
  expect(wordPress.verify(parsed.hash, vector.password)).toBe(true);
  expect(wordPress.verify(parsed.hash, `${vector.password.slice(0, -1)}!`)).toBe(false);
});
