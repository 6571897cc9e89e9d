/** How many calls run at once. */
export interface Pace {
  /** Waits until a call may start. */
  enter(): Promise<void>;
  /** Ends a call. */
  leave(result: "done" | "slow down" | "neither"): void;
  /** The number of calls that may run at once. */
  readonly limit: number;
}

/** Calls at once in the beginning. */
const FIRST = 4;

/**
 * Follows a server: one call more after each round of successful calls, and half as many when the server refuses some, as the
 * congestion control of TCP does (RFC 5681). Refusals of one round count once.
 *
 * @param most The highest number of calls at once.
 */
export function createPace(most: number): Pace {
  let limit = Math.min(FIRST, most);
  let running = 0;
  let successes = 0;
  /** Calls that were already running when the limit was last halved. */
  let ofEarlierRound = 0;
  const waiting: (() => void)[] = [];
  const start = () => {
    while (running < limit && waiting.length > 0) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return {
    enter: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        start();
      }),
    leave(result) {
      running -= 1;
      if (result === "slow down" && ofEarlierRound === 0) {
        limit = Math.max(1, Math.floor(limit / 2));
        successes = 0;
        ofEarlierRound = running;
      } else {
        ofEarlierRound = Math.max(0, ofEarlierRound - 1);
      }
      if (result === "done") succeed();
      start();
    },
    get limit() {
      return limit;
    },
  };

  function succeed(): void {
    successes += 1;
    if (successes < limit) return;
    successes = 0;
    limit = Math.min(most, limit + 1);
  }
}
