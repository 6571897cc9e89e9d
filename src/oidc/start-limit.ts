import type { SignetError } from "../errors.ts";
import { tooManyRequests } from "../http/base-exchange.ts";
import type { Exchange } from "../http/exchange.ts";
import { createNetworkBuckets, type NetworkBucket } from "../network-buckets.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { giveBack, type Rate, spend, timeUntil } from "../token-bucket.ts";
import { ROUTES } from "./routes.ts";

/** Limits what unauthenticated requests make the provider store; see `StartLimit`. */
export interface Starts {
  /** Reserves a start for a request that may need one. Returns an error if its address has none left. */
  refuse(exchange: Exchange): SignetError | undefined;
  /** The request has stored a row, with a size given by its parameters. */
  count(exchange: Exchange, parameters: object): void;
  /** A sign-in was completed, which deletes its row. */
  settle(address: string): void;
}

export function createStarts(metrics: Metrics | undefined): Starts {
  const limit = createStartLimit();
  const exchangeLimit = createExchangeLimit(limit, () => metrics?.budgetExceeded("sign_in_starts"));
  return {
    refuse: (exchange) => (STARTING_PATHS.has(exchange.path) ? exchangeLimit.reserve(exchange) : undefined),
    count: (exchange, parameters) => exchangeLimit.count(exchange, JSON.stringify(parameters).length),
    settle: limit.settle,
  };
}

/** The paths on which an unauthenticated client can make the provider store a row. */
const STARTING_PATHS: ReadonlySet<string> = new Set([
  ROUTES.authorization,
  ROUTES.device_authorization,
  ROUTES.pushed_authorization_request,
  ROUTES.code_verification,
  ROUTES.end_session,
]);

/** Limits the wrong user codes of an address (RFC 8628, section 5.1). A correct code does not count. */
export interface UserCodeAttempts {
  /** Returns an error if the request enters a code, and its address has entered too many wrong ones. */
  refuse(exchange: Exchange): SignetError | undefined;
  /** The request has entered a code that no device shows. */
  countWrong(exchange: Exchange): void;
}

/** The provider's event for a code that no device shows. The provider itself has none. */
export const WRONG_USER_CODE = "user_code.wrong";

/** As many as the wrong codes of links. One of 25 billion codes is right for each device. */
const WRONG_CODES: Rate = { burst: 30, perSecond: 30 / 900 };

export function createUserCodeAttempts(metrics: Metrics | undefined): UserCodeAttempts {
  const limit = createExchangeLimit(createStartLimit(undefined, WRONG_CODES), () =>
    metrics?.budgetExceeded("wrong_codes"),
  );
  return {
    refuse(exchange) {
      const isAttempt = exchange.method === "POST" && exchange.path === ROUTES.code_verification;
      return isAttempt ? limit.reserve(exchange) : undefined;
    },
    countWrong: (exchange) => limit.count(exchange, 0),
  };
}

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
function createExchangeLimit(limit: StartLimit, onExceeded: () => void): ExchangeLimit {
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
