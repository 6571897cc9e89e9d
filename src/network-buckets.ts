import { LRUCache } from "lru-cache";
import { networksOf } from "./network-of.ts";
import { createBucket, type Rate, type TokenBucket } from "./token-bucket.ts";

/** The bucket of a network. */
export interface NetworkBucket {
  readonly bucket: TokenBucket;
  readonly rate: Rate;
}

/** About 1 MB. When full, the least recently seen network is dropped. */
const MAX_NETWORKS = 10_000;

/**
 * Creates buckets for the networks of clients. The wider networks of `networksOf` have buckets too: each allows twice as
 * much as the narrower one, so that a single network cannot use it up for the others.
 *
 * @returns Finds the buckets of an address and of each wider network.
 */
export function createNetworkBuckets(rate: Rate, now: () => number): (address: string) => readonly NetworkBucket[] {
  const buckets = new LRUCache<string, NetworkBucket>({ max: MAX_NETWORKS });
  return (address) =>
    networksOf(address).map((network, width) => {
      const times = 2 ** width;
      const ofNetwork = { burst: times * rate.burst, perSecond: times * rate.perSecond };
      const bucket = buckets.get(network) ?? { rate: ofNetwork, bucket: createBucket(ofNetwork, now()) };
      buckets.set(network, bucket);
      return bucket;
    });
}
