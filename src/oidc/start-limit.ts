import type { SignetError } from "../errors.ts";
import { tooManyRequests } from "../http/base-exchange.ts";
import type { Exchange } from "../http/exchange.ts";
import { createNetworkBuckets, type NetworkBucket } from "../network-buckets.ts";
import { giveBack, type Rate, spend, timeUntil } from "../token-bucket.ts";

/** Limits what one address can make the provider store without authenticating: see `createNetworkBuckets`. */
interface StartLimit {
  /**
   * Reserves a start for a request that may need one. Concurrent requests cannot exceed the limit.
   *
   * @returns Milliseconds until the address may start something; 0 if immediately.
   */
  reserve(address: string): number;
  /** Releases the reservation of a request that has started nothing. */
  release(address: string): void;
  /**
   * Counts a row that the request has stored for an unauthenticated client, with the given number of characters from
   * the request.
   *
   * @param wasReleased Whether the request was already released, because the client did not wait for the response.
   */
  count(address: string, length: number, wasReleased: boolean): void;
  /** Called when the sign-in was completed, which deletes its row. */
  settle(address: string): void;
}

/**
 * Rows of about 2 KB, which live for at most an hour: 40 MB per address. A whole office may sign in at the same time.
 */
const STARTS: Rate = { burst: 500, perSecond: 5 };

/** A longer request counts as several. Applications send less than a thousand characters. */
const LENGTH_OF_START = 2_000;

export function createStartLimit(now: () => number = () => performance.now(), rate = STARTS): StartLimit {
  const budgetsOf = createNetworkBuckets(rate, now);

  function release(address: string): void {
    for (const budget of budgetsOf(address)) giveBack(budget.bucket, budget.rate);
  }

  return {
    reserve(address) {
      const reserved: NetworkBucket[] = [];
      for (const budget of budgetsOf(address)) {
        if (!spend(budget.bucket, budget.rate, now())) {
          for (const earlier of reserved) giveBack(earlier.bucket, earlier.rate);
          return timeUntil(budget.bucket, budget.rate);
        }
        reserved.push(budget);
      }
      return 0;
    },
    release,
    count(address, length, wasReleased) {
      // An excess remains as a debt, because the row exists.
      const excess = Math.max(1, Math.ceil(length / LENGTH_OF_START)) - (wasReleased ? 0 : 1);
      for (const { bucket } of budgetsOf(address)) bucket.left -= excess;
    },
    settle: release,
  };
}

/** Applies a `StartLimit` to requests: a start that a request has not used is released when the request ends. */
interface ExchangeLimit {
  /** Reserves a start. Returns an error if the address of the request has none left. */
  reserve(exchange: Exchange): SignetError | undefined;
  /** The request has used its start; see `StartLimit`. */
  count(exchange: Exchange, length: number): void;
}

/** @param onExceeded Called for each refused request. */
export function createExchangeLimit(limit: StartLimit, onExceeded: () => void): ExchangeLimit {
  const started = new WeakSet<Exchange>();
  const released = new WeakSet<Exchange>();

  return {
    reserve(exchange) {
      const { address } = exchange;
      const retryAfterMs = limit.reserve(address);
      if (retryAfterMs > 0) {
        onExceeded();
        return tooManyRequests(retryAfterMs);
      }
      exchange.onClose(() => {
        if (started.has(exchange)) return;
        released.add(exchange);
        limit.release(address);
      });
      return undefined;
    },
    count(exchange, length) {
      started.add(exchange);
      limit.count(exchange.address, length, released.has(exchange));
    },
  };
}
