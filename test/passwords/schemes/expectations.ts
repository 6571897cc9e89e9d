import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";

/** The title of a bound, a value at the bound, one over it, and the problem of the latter. */
export type Bound = readonly [what: string, accepted: string, refused: string, description: RegExp];

export function testBounds(bounds: readonly Bound[]): void {
  test.each(bounds)("accepts %s and rejects the next value", (_what, accepted, refused, description) => {
    expect(describeHashProblem(accepted)).toBeUndefined();
    expect(describeHashProblem(refused)).toMatch(description);
  });
}

/** The allowed last characters of a hash after `start`. All others have bits that do not belong to any byte. */
export function expectEndings(start: string, endings: string): void {
  const alphabet = [..."./+0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
  const accepted = alphabet.filter((last) => describeHashProblem(start + last) === undefined);
  expect(accepted.sort()).toEqual([...endings].sort());
}

/** Texts that are not a plain decimal number without leading zeros. */
export const NOT_NUMBERS = ["01000", "+1000", "1e3", "0x400", "1_000", " 1000", "1000.0", "", "-1000", "９００００"];

/** Numbers that are small modulo 2^32 or 2^64, or too large to be exact. */
export const HUGE_NUMBERS = ["4294968296", "9007199254740993", "18446744073709552616", "9".repeat(350)];
