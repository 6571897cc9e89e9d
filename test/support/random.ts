/** Pseudorandom numbers, the same for the same seed (mulberry32). */
export interface Random {
  /** An integer from 0 (inclusive) to a limit (exclusive). */
  below(limit: number): number;
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** Text of up to this many characters: plain, with marks, control characters, other scripts, emoji. */
  text(longest: number): string;
  /** Splits bytes into up to this many parts. */
  cut(bytes: Buffer, most: number): Buffer[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    below: (limit) => Math.floor(next() * limit),
    between: (least, most) => least + random.below(most - least + 1),
    chance: (probability) => next() < probability,
    pick: <T>(choices: readonly T[]) => choices[random.below(choices.length)] as T,
    text(longest) {
      const length = random.below(longest + 1);
      return Array.from({ length }, () => {
        const [least, most] = random.pick(ALPHABETS);
        return String.fromCodePoint(random.between(least, most));
      }).join("");
    },
    cut(bytes, most) {
      const parts: Buffer[] = [];
      let rest = bytes;
      while (parts.length < most - 1 && rest.length > 1) {
        const at = random.between(1, rest.length - 1);
        parts.push(rest.subarray(0, at));
        rest = rest.subarray(at);
      }
      return [...parts, rest];
    },
  };
  return random;
}

const ALPHABETS = [
  [0x61, 0x7a],
  [0x20, 0x7e],
  [0x20, 0x2f],
  [0x25, 0x25],
  [0x01, 0x1f],
  [0x7f, 0xff],
  [0x3b1, 0x3c9],
  [0x4e00, 0x4eff],
  [0xfffd, 0xffff],
  [0x1f600, 0x1f64f],
] as const;
