import type { Figure } from "./figure.ts";

/** The extent of a measurement. */
export interface Rounds {
  readonly count: number;
  /** Calls per round. */
  readonly calls: number;
  /** Passwords that each thread hashes in a round. */
  readonly hashes: number;
  /** Seconds of each round of pgbench. */
  readonly bareSeconds: number;
}

export const FULL: Rounds = { count: 5, calls: 15_000, hashes: 12, bareSeconds: 6 };
export const QUICK: Rounds = { count: 2, calls: 3_000, hashes: 4, bareSeconds: 3 };

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Latencies of each round, in milliseconds. */
export type Latencies = Readonly<Record<"p50" | "p99", readonly number[]>>;

/** @param most The goal of the p99. */
export function toLatencyFigures(name: string, { p50, p99 }: Latencies, most?: number): Figure[] {
  return [
    { name: `${name}, p50`, value: median(p50), unit: "ms", all: p50 },
    {
      name: `${name}, p99`,
      value: median(p99),
      unit: "ms",
      all: p99,
      ...(most !== undefined && { rule: "at most" as const, bound: most }),
    },
  ];
}
