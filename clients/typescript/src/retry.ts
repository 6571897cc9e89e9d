import { Code, ConnectError, type Interceptor, type UnaryRequest } from "@connectrpc/connect";
import { readError } from "./error-details.ts";
import { isReading } from "./is-reading.ts";
import { Reason } from "./reasons.ts";

export interface RetryOptions {
  /** Maximum number of attempts per call, including the first one. Default: 4. */
  readonly maxAttempts?: number | undefined;
  /** Backoff after the first attempt in milliseconds; triples with each further attempt. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** Maximum delay in milliseconds. A call fails immediately if the service requests a longer one. Default: 5,000. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * Repeats failed calls if that is safe and may help: for ABORTED, UNAVAILABLE and TOO_MANY_REQUESTS, and if the
 * connection failed. Waits as long as the service requests, and at least for half of a growing backoff plus a random
 * part of the other half. If the change may have been made, a call that changes data is repeated only with an
 * `idempotency-key`.
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

/** Connect's codes in Node: refused, reset, closed. It is already known that the caller has not canceled. */
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
