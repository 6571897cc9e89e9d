import { formatDelay, secondsUntil } from "../../../src/web/frame/format-time.ts";

test.each([
  [0, "in 1 second"],
  [1, "in 1 second"],
  [58.2, "in 59 seconds"],
  [60, "in 1 minute"],
  [61, "in 2 minutes"],
  [3_540, "in 59 minutes"],
  [3_541, "in 1 hour"],
  [3_601, "in 2 hours"],
  [86_400, "in 24 hours"],
])("a delay of %s seconds is formatted as %s", (seconds, words) => {
  expect(formatDelay(seconds, { tag: "en" })).toBe(words);
});

test.each([
  [-5_000, 1],
  [0, 1],
  [1_001, 2],
])("a time %s milliseconds ahead is %s whole seconds away", (ms, seconds) => {
  expect(secondsUntil(new Date(1_000_000 + ms), new Date(1_000_000))).toBe(seconds);
});
