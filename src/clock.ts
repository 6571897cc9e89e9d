/** Returns the current time. Operations read the time through it, so that tests can set it. */
export type Clock = () => Date;

/** Milliseconds with three decimals since a time of `performance.now`, for the log and metrics. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1_000) / 1_000;
}
