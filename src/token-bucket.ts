/** The rate of a token bucket: a burst of `burst`, and `perSecond` in the long run. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket, which is refilled at a constant rate. */
export interface TokenBucket {
  /** The tokens that were left at `at`. */
  left: number;
  /** Milliseconds of `performance.now`. */
  at: number;
}

export function createBucket({ burst }: Rate, now: number): TokenBucket {
  return { left: burst, at: now };
}

/** Takes tokens from a bucket. Returns false, and takes none, if less than `amount` is left. */
export function spend(bucket: TokenBucket, rate: Rate, now: number, amount = 1): boolean {
  refill(bucket, rate, now);
  if (bucket.left < amount) return false;
  bucket.left -= amount;
  return true;
}

/** Returns tokens to a bucket. */
export function giveBack(bucket: TokenBucket, { burst }: Rate, amount = 1): void {
  bucket.left = Math.min(burst, bucket.left + amount);
}

/** Whether nothing is left, or less than nothing. */
export function isSpent(bucket: TokenBucket, rate: Rate, now: number): boolean {
  refill(bucket, rate, now);
  return bucket.left < 1;
}

export function isFull(bucket: TokenBucket, rate: Rate, now: number): boolean {
  refill(bucket, rate, now);
  return bucket.left >= rate.burst;
}

/** Milliseconds until `amount` is available. */
export function timeUntil(bucket: TokenBucket, { perSecond }: Rate, amount = 1): number {
  return Math.max(0, Math.ceil(((amount - bucket.left) / perSecond) * 1_000));
}

function refill(bucket: TokenBucket, { burst, perSecond }: Rate, now: number): void {
  bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
  bucket.at = now;
}
