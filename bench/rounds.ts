/** The extent of a measurement. */
export interface Rounds {
  readonly count: number;
  /** Calls in each round. */
  readonly calls: number;
  /** Passwords that each thread hashes in a round. */
  readonly hashes: number;
  /** Seconds of each round of pgbench. */
  readonly bareSeconds: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
