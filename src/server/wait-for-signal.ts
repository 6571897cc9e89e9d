import { createStop, type Stop } from "./stop.ts";

/** Ctrl-C delivers SIGINT twice: the terminal signals every process in the group, and npm forwards its own. */
const DUPLICATE_MS = 1_000;

/**
 * The first SIGTERM or SIGINT requests the stop. The next one, at least a second later, ends the delay, if any. Another
 * one exits the process immediately with code 1.
 */
export function waitForSignal(delayMs: number): Stop {
  const stop = createStop(delayMs);
  let last: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (last !== undefined && now - last < DUPLICATE_MS) return;
      if (last === undefined) stop.request(signal);
      else if (!stop.hurry()) process.exit(1);
      last = now;
    });
  }
  return stop;
}
