/** How often an event may occur on one connection. */
export interface FrameBudget {
  /** The size of a burst. */
  readonly burst: number;
  /** How much is refilled per second. */
  readonly perSecond: number;
  /** What each new stream adds, up to the burst, for events that are more frequent on busy connections. */
  readonly perStream: number;
}

/** Milliseconds of a monotonic clock. */
export type MillisecondClock = () => number;

/**
 * A token bucket. To be cheap, it reads the clock only when it is empty; in exchange, two bursts can follow each other.
 */
export class FrameAllowance {
  readonly #budget: FrameBudget;
  readonly #clock: MillisecondClock;
  #tokens: number;
  #filledAt: number;

  constructor(budget: FrameBudget, clock: MillisecondClock) {
    this.#budget = budget;
    this.#clock = clock;
    this.#tokens = budget.burst;
    this.#filledAt = clock();
  }

  /** Returns false if the budget is used up. */
  take(cost: number): boolean {
    this.#tokens -= cost;
    return this.#tokens >= 0 || this.#fill();
  }

  /** A new stream was opened. */
  creditStream(): void {
    const { burst, perStream } = this.#budget;
    this.#tokens = Math.min(burst, this.#tokens + perStream);
  }

  #fill(): boolean {
    const now = this.#clock();
    const { burst, perSecond } = this.#budget;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) * perSecond) / 1_000);
    this.#filledAt = now;
    return this.#tokens >= 0;
  }
}
