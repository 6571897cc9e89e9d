import { SignetError } from "../errors.ts";
import { createNetworkBuckets } from "../network-buckets.ts";
import { networkOf } from "../network-of.ts";
import { isSpent, type Rate, timeUntil } from "../token-bucket.ts";

/**
 * Forms of more than 64 KiB, which are held until their response. Strangers can send them, and the database keeps each, of
 * up to 2 MiB, for minutes.
 */
export interface LargeForms<Holder extends object> {
  /** @throws SignetError UNAVAILABLE or TOO_MANY_REQUESTS if the address may not send one now. */
  hold(holder: Holder, address: string): void;
  /** Counts a form that was received. */
  count(address: string, bytes: number): void;
  /** No effect for who holds none. */
  release(holder: Holder): void;
}

const MAX_HELD = 32;
const MAX_HELD_OF_ADDRESS = 8;

/** Bytes from an address. An office may send a hundred responses of 200 KB in a row. */
const BYTES: Rate = { burst: 20_000_000, perSecond: 200_000 };

export function createLargeForms<Holder extends object>(
  now: () => number = () => performance.now(),
): LargeForms<Holder> {
  const bucketsOf = createNetworkBuckets(BYTES, now);
  const networks = new Map<Holder, string>();
  return {
    hold(holder, address) {
      const network = networkOf(address);
      const ofAddress = [...networks.values()].filter((each) => each === network).length;
      if (networks.size >= MAX_HELD || ofAddress >= MAX_HELD_OF_ADDRESS) {
        throw new SignetError("UNAVAILABLE", "too many large forms are being received; try again");
      }
      for (const { bucket, rate } of bucketsOf(address)) {
        if (isSpent(bucket, rate, now())) {
          const retryAfterMs = timeUntil(bucket, rate);
          throw new SignetError("TOO_MANY_REQUESTS", "too many large forms came from this address", { retryAfterMs });
        }
      }
      networks.set(holder, network);
    },
    count(address, bytes) {
      // An excess remains as a debt, because the form is stored.
      for (const { bucket } of bucketsOf(address)) bucket.left -= bytes;
    },
    release: (holder) => void networks.delete(holder),
  };
}
