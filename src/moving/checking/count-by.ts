/** Counts by a text that a person reads, with the first examples of each. */
interface CountBy {
  add(text: string, example?: string): void;
  /** The texts with the highest counts first. */
  list(): Tallied[];
  readonly total: number;
}

export interface Tallied {
  readonly text: string;
  readonly count: number;
  /** The first ones. */
  readonly examples: readonly string[];
}

/** Different texts. Some contain values of the records, so their number has a limit. */
const MOST = 100;
const OTHERS = "others";

export function createCountBy(examplesOfEach = 1): CountBy {
  const counts = new Map<string, { count: number; examples: string[] }>();
  let total = 0;
  return {
    add(text, example) {
      total += 1;
      const key = counts.has(text) || counts.size < MOST ? text : OTHERS;
      const entry = counts.get(key) ?? { count: 0, examples: [] };
      counts.set(key, entry);
      entry.count += 1;
      if (example === undefined || entry.examples.length >= examplesOfEach) return;
      if (!entry.examples.includes(example)) entry.examples.push(example);
    },
    list: () => [...counts].map(([text, entry]) => ({ text, ...entry })).sort((one, other) => other.count - one.count),
    get total() {
      return total;
    },
  };
}
