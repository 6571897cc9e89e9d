import { createBucket, type Rate, type TokenBucket } from "../token-bucket.ts";

/** What pays for requests until their callers are authorized. */
export interface Account {
  /** Requests without a complete response whose caller is not yet authorized. */
  openRequests: number;
  readonly requests: TokenBucket;
  readonly rate: Rate;
}

export function createAccount(rate: Rate, now: number): Account {
  return { openRequests: 0, requests: createBucket(rate, now), rate };
}
