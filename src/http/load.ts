const SAMPLE_MS = 50;
/** How long a late iteration counts. */
const MEMORY_MS = 500;

/** Measures the delay of the event loop. */
export interface LoadMeter {
  /** Whether an event loop iteration was late by more than the limit within the last half second. */
  isOverloaded(): boolean;
  close(): void;
}

/** @param boundMs Milliseconds. */
export function createLoadMeter(boundMs: number): LoadMeter {
  let expectedAt = performance.now() + SAMPLE_MS;
  let lateAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - expectedAt > boundMs) lateAt = now;
    expectedAt = now + SAMPLE_MS;
  }, SAMPLE_MS).unref();
  return {
    isOverloaded: () => performance.now() - lateAt < MEMORY_MS,
    close: () => clearInterval(timer),
  };
}
