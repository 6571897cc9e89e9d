/** How much of something is allowed: `burst` at once, and `perSecond` in the long run. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket: what was spent is refilled steadily. */
export interface TokenBucket {
  /** How much is left, as of `at`. */
  left: number;
  /** Milliseconds, as `performance.now` gives them. */
  at: number;
}

export function createBucket({ burst }: Rate, now: number): TokenBucket {
  return { left: burst, at: now };
}

/** Spends from a bucket. Returns false, and spends nothing, where less is left than `amount`. */
export function spend(bucket: TokenBucket, rate: Rate, now: number, amount = 1): boolean {
  refill(bucket, rate, now);
  if (bucket.left < amount) return false;
  bucket.left -= amount;
  return true;
}

/** Gives back what was spent. */
export function giveBack(bucket: TokenBucket, { burst }: Rate, amount = 1): void {
  bucket.left = Math.min(burst, bucket.left + amount);
}

export function isFull(bucket: TokenBucket, rate: Rate, now: number): boolean {
  refill(bucket, rate, now);
  return bucket.left >= rate.burst;
}

/** Milliseconds until `amount` is left. */
export function timeUntil(bucket: TokenBucket, { perSecond }: Rate, amount = 1): number {
  return Math.max(0, Math.ceil(((amount - bucket.left) / perSecond) * 1_000));
}

function refill(bucket: TokenBucket, { burst, perSecond }: Rate, now: number): void {
  bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
  bucket.at = now;
}
