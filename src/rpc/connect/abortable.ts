/**
 * The result of a promise, or the reason of a signal, whichever comes first. What the promise stands for goes on: it is
 * only that nobody waits for it any more.
 *
 * @throws The signal's reason when it is aborted first.
 */
export async function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  // Whoever loses the race may still fail, with nobody to tell.
  promise.catch(() => {});
  if (signal.aborted) throw signal.reason;
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
