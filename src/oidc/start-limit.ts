import { LRUCache } from "lru-cache";
import { networksOf } from "../network-of.ts";
import { createBucket, giveBack, type Rate, spend, type TokenBucket, timeUntil } from "../token-bucket.ts";

/**
 * Limits what one address can make the provider store without authenticating. The wider networks of `networksOf` have
 * limits too: each allows twice as much as the narrower one, so that a single network cannot use it up for the others.
 */
export interface StartLimit {
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

/** About 1 MB. When full, the least recently seen network is dropped. */
const MAX_NETWORKS = 10_000;

export function createStartLimit(now: () => number = () => performance.now(), rate = STARTS): StartLimit {
  const budgets = new LRUCache<string, StartBudget>({ max: MAX_NETWORKS });

  /** Those of the address and of each wider network. */
  function budgetsOf(address: string): StartBudget[] {
    return networksOf(address).map((network, width) => budgetOf(network, 2 ** width));
  }

  function budgetOf(network: string, times: number): StartBudget {
    const ofNetwork = { burst: times * rate.burst, perSecond: times * rate.perSecond };
    const budget = budgets.get(network) ?? { rate: ofNetwork, bucket: createBucket(ofNetwork, now()) };
    budgets.set(network, budget);
    return budget;
  }

  function release(address: string): void {
    for (const budget of budgetsOf(address)) giveBack(budget.bucket, budget.rate);
  }

  return {
    reserve(address) {
      const reserved: StartBudget[] = [];
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

interface StartBudget {
  readonly rate: Rate;
  readonly bucket: TokenBucket;
}
