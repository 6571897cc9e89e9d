import { networkOf } from "../http/network-of.ts";
import { createBucket, giveBack, type Rate, spend, type TokenBucket, timeUntil } from "../http/token-bucket.ts";

/** Limits what one address can make the provider store without authenticating. */
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

/** About 1 MB. When full, the least recently seen address is dropped. */
const MAX_ADDRESSES = 10_000;

export function createStartLimit(now: () => number = () => performance.now()): StartLimit {
  const buckets = new Map<string, TokenBucket>();

  function bucketOf(address: string): TokenBucket {
    const network = networkOf(address);
    const bucket = buckets.get(network) ?? createBucket(STARTS, now());
    // A Map keeps insertion order, so the least recently seen address comes first.
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
