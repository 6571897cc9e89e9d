interface ThrottleOptions {
  /** How long a result is used, from the end of its run. */
  readonly periodMs: number;
  /** How long to wait for the current run. */
  readonly waitMs: number;
}

/**
 * Returns a function that runs a query at most once in a period, one run at a time. It resolves to the latest result,
 * or undefined if there is none yet.
 *
 * @param run Must not reject.
 */
export function createThrottled<Result>(
  run: () => Promise<Result>,
  { periodMs, waitMs }: ThrottleOptions,
): () => Promise<Result | undefined> {
  let latest: Result | undefined;
  let running: Promise<void> | undefined;
  let validUntil = Number.NEGATIVE_INFINITY;

  async function refresh(): Promise<void> {
    latest = await run();
    validUntil = performance.now() + periodMs;
    running = undefined;
  }

  return async () => {
    if (performance.now() < validUntil) return latest;
    running ??= refresh();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, waitMs);
    await Promise.race([running, late.promise]);
    clearTimeout(timer);
    return latest;
  };
}
