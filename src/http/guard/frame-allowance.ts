/** How often something may happen on one connection. */
export interface Budget {
  /** At once, after a rest. */
  readonly burst: number;
  /** What comes back per second. */
  readonly perSecond: number;
  /** What each new stream adds, up to the burst: for what busy clients do more often. */
  readonly perStream: number;
}

/** Milliseconds of a clock that does not jump. */
export type Clock = () => number;

/**
 * Counts against a budget. The clock is read only when the bucket is empty, which keeps it cheap; in return a burst may
 * come twice in a row after a rest.
 */
export class FrameAllowance {
  readonly #budget: Budget;
  readonly #clock: Clock;
  #tokens: number;
  #filledAt: number;

  constructor(budget: Budget, clock: Clock) {
    this.#budget = budget;
    this.#clock = clock;
    this.#tokens = budget.burst;
    this.#filledAt = clock();
  }

  /** False: the budget is used up. */
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
