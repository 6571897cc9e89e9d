const FIRST_MS = 5_000;
const LONGEST_MS = 15 * 60_000;
/** Spreads the retries of messages that failed at the same time. */
const JITTER = 0.2;

/**
 * Returns the delay before the next attempt, in milliseconds: about 5 s after the first failure, doubled after each
 * further one, up to 15 min.
 *
 * @param attempts Number of attempts so far, at least 1.
 * @param random Returns numbers in [0, 1).
 * @param longestMs Instead of 15 min.
 */
export function retryDelayMs(attempts: number, random: () => number, longestMs = LONGEST_MS): number {
  const exact = FIRST_MS * 2 ** Math.min(attempts - 1, 20);
  return Math.round(Math.min(exact * (1 + JITTER * (2 * random() - 1)), longestMs * (1 - JITTER * random())));
}
