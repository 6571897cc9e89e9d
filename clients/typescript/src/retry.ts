import { Code, ConnectError, type Interceptor, type UnaryRequest } from "@connectrpc/connect";
import { readError } from "./error-details.ts";
import { isReading } from "./is-reading.ts";
import { Reason } from "./reasons.ts";

export interface RetryOptions {
  /** How many attempts a call has at most, the first one included. Default: 4. */
  readonly maxAttempts?: number | undefined;
  /** Backoff after the first attempt in milliseconds; it triples with each further one. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** Longest wait in milliseconds. A call fails at once if the service asks for a longer one. Default: 5,000. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * Repeats failed calls if that is safe and may help: for ABORTED, UNAVAILABLE and TOO_MANY_REQUESTS, and if the connection
 * failed. It waits as long as the service asks, and at least for half of a growing backoff, plus a random part of the other
 * half. A call that changes something is repeated only with an `idempotency-key` if the change may have been made.
 */
export function createRetry({ maxAttempts = 4, backoffMs = 250, maxDelayMs = 5_000 }: RetryOptions = {}): Interceptor {
  return (next) => async (request) => {
    if (request.stream) return next(request);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(request);
      } catch (thrown) {
        if (attempt >= maxAttempts || request.signal.aborted || !mayRepeat(thrown, request)) throw thrown;
        const { retryDelayMs = 0 } = readError(thrown);
        if (retryDelayMs > maxDelayMs) throw thrown;
        const half = Math.min(backoffMs * 3 ** (attempt - 1), maxDelayMs) / 2;
        await wait(Math.max(retryDelayMs, half) + Math.random() * half, request.signal);
      }
    }
  };
}

function mayRepeat(thrown: unknown, request: UnaryRequest): boolean {
  const { reason, metadata } = readError(thrown);
  const isRepeatable = isReading(request.method) || request.header.has("idempotency-key");
  switch (reason) {
    case Reason.ABORTED:
    case Reason.TOO_MANY_REQUESTS:
      return true;
    case Reason.UNAVAILABLE:
      return metadata.outcome !== "unknown" || isRepeatable;
    case undefined:
      return isConnectionFailure(thrown) && isRepeatable;
    default:
      return false;
  }
}

/** The codes that Connect has in Node: refused, reset, closed. The caller has not canceled, which was checked before. */
const CONNECTION_CODES: readonly Code[] = [Code.Unavailable, Code.Aborted, Code.Canceled];

/** In browsers, `fetch` rejects with a TypeError. */
function isConnectionFailure(thrown: unknown): boolean {
  const { code, cause } = ConnectError.from(thrown);
  return CONNECTION_CODES.includes(code) || (code === Code.Unknown && cause instanceof TypeError);
}

/** Rejects if the caller cancels, or the deadline passes. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
