import { networkOf } from "../http/network-of.ts";
import { createBucket, giveBack, isFull, type Rate, spend, type TokenBucket, timeUntil } from "../http/token-bucket.ts";

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

/** About 1 MB. */
const MAX_ADDRESSES = 10_000;

export function createStartLimit(now: () => number = () => performance.now()): StartLimit {
  const buckets = new Map<string, TokenBucket>();

  function bucketOf(address: string): TokenBucket {
    const network = networkOf(address);
    let bucket = buckets.get(network);
    if (bucket === undefined) {
      if (buckets.size >= MAX_ADDRESSES) forget();
      bucket = createBucket(STARTS, now());
      buckets.set(network, bucket);
    }
    return bucket;
  }

  /** Forgets the addresses that have nothing spent; if all have, the one that was seen first. */
  function forget(): void {
    for (const [network, bucket] of buckets) if (isFull(bucket, STARTS, now())) buckets.delete(network);
    const [first] = buckets.keys();
    if (buckets.size >= MAX_ADDRESSES && first !== undefined) buckets.delete(first);
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
