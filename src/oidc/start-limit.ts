import { networkOf } from "../http/network-of.ts";
import { createBucket, giveBack, type Rate, spend, type TokenBucket, timeUntil } from "../http/token-bucket.ts";

/** Limits what one address can make the provider store without proving who it is. */
export interface StartLimit {
  /**
   * Reserves the start that a request may make. Concurrent requests cannot exceed the limit.
   *
   * @returns Milliseconds until the address may start something; 0 if it may now.
   */
  reserve(address: string): number;
  /** Releases the reservation of a request that has started nothing. */
  release(address: string): void;
  /**
   * Counts a row that the request has stored for an unauthenticated client, with this many characters from the request.
   *
   * @param wasReleased The request was released before, because the client did not wait for the response.
   */
  count(address: string, length: number, wasReleased: boolean): void;
  /** Called when the sign-in was completed, which deletes its row. */
  settle(address: string): void;
}

/** Rows of about 2 KB, which live for an hour at most: 40 MB for an address. An office may start the day together. */
const STARTS: Rate = { burst: 500, perSecond: 5 };

/** A request with more counts as several. Applications send less than a thousand characters. */
const LENGTH_OF_START = 2_000;

/** About 1 MB. Beyond that, the least recently seen address is dropped. */
const MAX_ADDRESSES = 10_000;

export function createStartLimit(now: () => number = () => performance.now()): StartLimit {
  const buckets = new Map<string, TokenBucket>();

  function bucketOf(address: string): TokenBucket {
    const network = networkOf(address);
    const bucket = buckets.get(network) ?? createBucket(STARTS, now());
    // A Map keeps the order of insertion: the address that was seen longest ago is the first.
    buckets.delete(network);
    buckets.set(network, bucket);
    if (buckets.size > MAX_ADDRESSES) buckets.delete(buckets.keys().next().value ?? "");
    return bucket;
  }

  return {
    reserve(address) {
      const bucket = bucketOf(address);
      return spend(bucket, STARTS, now()) ? 0 : timeUntil(bucket, STARTS);
    },
    release: (address) => giveBack(bucketOf(address), STARTS),
    count(address, length, wasReleased) {
      // An excess remains as a debt, because the row exists.
      bucketOf(address).left -= Math.max(1, Math.ceil(length / LENGTH_OF_START)) - (wasReleased ? 0 : 1);
    },
    settle: (address) => giveBack(bucketOf(address), STARTS),
  };
}
