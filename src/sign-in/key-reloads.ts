import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { createBucket, type Rate, spend, type TokenBucket } from "../token-bucket.ts";

/** Limits how often the providers of an owner can cause a load of keys by tokens with unknown keys. */
export interface KeyReloads {
  /** Returns false if the owner, an organization or the instance, has none left. */
  spend(ownerId: string): boolean;
}

/** Twice what a single provider can cause in a minute. */
const RELOADS: Rate = { burst: 24, perSecond: 24 / 60 };
/** About 100 KB. When full, the owner that has not caused any for the longest time is dropped. */
const MAX_OWNERS = 1_000;

export function createKeyReloads(clock: Clock): KeyReloads {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_OWNERS });

  return {
    spend(ownerId) {
      const now = clock().getTime();
      const bucket = buckets.get(ownerId) ?? createBucket(RELOADS, now);
      buckets.set(ownerId, bucket);
      return spend(bucket, RELOADS, now);
    },
  };
}
