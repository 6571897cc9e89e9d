import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";

const stored = (salt: string, hash: string) => `$better-auth$${salt}:${hash}`;

test("the stored text is accepted after the prefix, and nothing else", () => {
  const [salt, hash] = ["0123456789abcdef".repeat(2), "0123456789abcdef".repeat(8)];
  expect(describeHashProblem(stored(salt, hash))).toBeUndefined();
  for (const broken of [
    stored(salt.slice(1), hash),
    stored(`${salt}0`, hash),
    stored(salt, hash.slice(1)),
    stored(salt, `${hash}0`),
    stored(salt.toUpperCase(), hash),
    stored(salt, hash.replace(":", "$")).replace(":", "$"),
  ]) {
    expect([broken, describeHashProblem(broken)]).toEqual([
      broken,
      expect.stringMatching(/^must be a complete Better Auth hash/),
    ]);
  }
});
