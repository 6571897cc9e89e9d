const FIRST_MS = 5_000;
const LONGEST_MS = 15 * 60_000;
/** Messages that failed together do not all come back together. */
const JITTER = 0.2;

/**
 * How many milliseconds a message waits after an attempt that failed: about 5 s after the first, twice as long after each
 * further one, and never more than 15 min.
 *
 * @param attempts How often it was tried, from 1.
 * @param random Gives numbers from 0 up to 1.
 */
export function retryDelayMs(attempts: number, random: () => number): number {
  const exact = FIRST_MS * 2 ** Math.min(attempts - 1, 20);
  return Math.round(Math.min(exact * (1 + JITTER * (2 * random() - 1)), LONGEST_MS * (1 - JITTER * random())));
}
