import { networkOf } from "../http/network-of.ts";
import { createBucket, giveBack, type Rate, spend, type TokenBucket, timeUntil } from "../http/token-bucket.ts";

/** Limits what one address can make the provider store without proving who it is. */
export interface StartLimit {
  /** Milliseconds until the address may start something; 0 if it may now. */
  waitMs(address: string): number;
  /** A row was stored for a stranger. */
  count(address: string): void;
  /** The sign-in was completed, which deletes its row. */
  settle(address: string): void;
}

/** Rows of about 1.5 KB, which live for an hour at most: 30 MB for an address. An office may start the day together. */
const STARTS: Rate = { burst: 500, perSecond: 5 };

/** About 1 MB. Beyond, the address that was seen longest ago is forgotten. */
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
    waitMs(address) {
      const bucket = bucketOf(address);
      if (!spend(bucket, STARTS, now())) return timeUntil(bucket, STARTS);
      giveBack(bucket, STARTS);
      return 0;
    },
    count(address) {
      const bucket = bucketOf(address);
      if (!spend(bucket, STARTS, now())) bucket.left = 0;
    },
    settle: (address) => giveBack(bucketOf(address), STARTS),
  };
}
