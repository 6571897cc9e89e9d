import { SignetError } from "../../errors.ts";

/**
 * Resolves to `result`, unless the signal is aborted first. A later outcome of `result` is then ignored.
 *
 * @throws SignetError UNAVAILABLE if the signal is aborted first.
 */
export async function untilAborted<T>(signal: AbortSignal, result: T | Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(overdue());
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([aborted.promise, result]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** @throws SignetError UNAVAILABLE if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw overdue();
}

/** UNAVAILABLE instead of DEADLINE_EXCEEDED, which pages report as a form that was sent too slowly. */
function overdue(): SignetError {
  return new SignetError("UNAVAILABLE", "the page was not ready in time, or the client has gone");
}
