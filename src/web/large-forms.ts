import { LRUCache } from "lru-cache";
import { SignetError } from "../errors.ts";
import { networksOf } from "../network-of.ts";
import { createBucket, type Rate, spend, type TokenBucket, timeUntil } from "../token-bucket.ts";

/** Forms that are larger than 64 KiB. Strangers can send them, and each may have 2 MiB, which the database keeps for minutes. */
export interface LargeForms {
  /**
   * Reserves a place for a form that is received.
   *
   * @returns Frees the place, and counts the bytes of the form.
   * @throws SignetError UNAVAILABLE or TOO_MANY_REQUESTS if there is none.
   */
  reserve(address: string): (bytes: number) => void;
}

/** Received at the same time. */
const MAX_AT_ONCE = 32;
const MAX_AT_ONCE_OF_ADDRESS = 8;

/** Bytes from an address. An office may send a hundred responses of 200 KB in a row. */
const BYTES: Rate = { burst: 20_000_000, perSecond: 200_000 };

/** About 1 MB. When full, the least recently seen network is dropped. */
const MAX_NETWORKS = 10_000;

export function createLargeForms(now: () => number = () => performance.now()): LargeForms {
  const budgets = new LRUCache<string, TokenBucket>({ max: MAX_NETWORKS });
  const places = new Map<string, number>();
  let taken = 0;

  function budgetsOf(address: string): { bucket: TokenBucket; rate: Rate }[] {
    return networksOf(address).map((network, width) => {
      // Each wider network may send twice as much as the narrower one.
      const rate = { burst: 2 ** width * BYTES.burst, perSecond: 2 ** width * BYTES.perSecond };
      const bucket = budgets.get(network) ?? createBucket(rate, now());
      budgets.set(network, bucket);
      return { bucket, rate };
    });
  }

  return {
    reserve(address) {
      const [network] = networksOf(address);
      const ofNetwork = places.get(network) ?? 0;
      if (taken >= MAX_AT_ONCE || ofNetwork >= MAX_AT_ONCE_OF_ADDRESS) {
        throw new SignetError("UNAVAILABLE", "too many large forms are being received; try again");
      }
      const used = budgetsOf(address);
      for (const { bucket, rate } of used) {
        if (!spend(bucket, rate, now(), 1)) {
          const retryAfterMs = timeUntil(bucket, rate);
          throw new SignetError("TOO_MANY_REQUESTS", "too many large forms came from this address", { retryAfterMs });
        }
      }
      taken += 1;
      places.set(network, ofNetwork + 1);
      return (bytes) => {
        taken -= 1;
        const left = (places.get(network) ?? 1) - 1;
        if (left === 0) places.delete(network);
        else places.set(network, left);
        // An excess remains as a debt.
        for (const { bucket } of used) bucket.left -= bytes;
      };
    },
  };
}
