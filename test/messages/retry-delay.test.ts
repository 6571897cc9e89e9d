import { retryDelayMs } from "../../src/messages/retry-delay.ts";

const SECONDS = [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900];

test("a message waits about 5 s after the first attempt, and twice as long after each further one, up to 15 min", () => {
  const middle = SECONDS.map((_, index) => retryDelayMs(index + 1, () => 0.5) / 1_000);
  expect(middle.slice(0, 8)).toEqual(SECONDS.slice(0, 8));
  for (const [index, seconds] of SECONDS.entries()) {
    for (const random of [0, 0.25, 0.5, 0.75, 0.999_999]) {
      const delay = retryDelayMs(index + 1, () => random) / 1_000;
      expect(delay).toBeGreaterThanOrEqual(seconds * 0.79);
      expect(delay).toBeLessThanOrEqual(Math.min(seconds * 1.21, 900));
    }
  }
});

test("messages that failed together are retried at different times, even with the maximum delay", () => {
  for (const attempts of [1, 5, 30, 100_000]) {
    const delays = [0.1, 0.5, 0.9].map((random) => retryDelayMs(attempts, () => random));
    expect(new Set(delays).size).toBe(3);
  }
});
