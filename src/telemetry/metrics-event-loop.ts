import { Histogram, type Registry } from "prom-client";

const SAMPLE_MS = 20;

/**
 * Records how late a 20 ms timer fires. Uses a histogram, because Node's percentiles cannot be combined across
 * processes or time. The rate of its sum is the fraction of the time that the event loop was late.
 */
export function sampleEventLoop(registry: Registry): { close(): void } {
  const delay = new Histogram({
    registers: [registry],
    name: "signet_event_loop_delay_seconds",
    help: "How late the event loop ran a timer that fires every 20 ms.",
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  });
  let expectedAt = performance.now() + SAMPLE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delay.observe(Math.max(0, now - expectedAt) / 1_000);
    expectedAt = now + SAMPLE_MS;
  }, SAMPLE_MS).unref();
  return { close: () => clearInterval(timer) };
}
