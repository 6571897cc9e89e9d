import { setImmediate } from "node:timers/promises";

/** Watchers that wait for events. */
export interface WaitingWatchers {
  /** Resolves at the next `wake`, once the time has passed, or when the signal is aborted. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Lets the watchers continue, a few in each turn of the event loop. */
  wake(): Promise<void>;
}

/** Watchers that continue in one turn of the event loop. */
const WOKEN_AT_ONCE = 50;

export function createWaitingWatchers(): WaitingWatchers {
  const waiting = new Set<() => void>();
  return {
    wait(timeoutMs, signal) {
      return new Promise((resolve) => {
        const done = () => {
          waiting.delete(done);
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        if (signal.aborted) return done();
        waiting.add(done);
        signal.addEventListener("abort", done);
      });
    },
    async wake() {
      let woken = 0;
      for (const resolve of [...waiting]) {
        resolve();
        woken += 1;
        if (woken % WOKEN_AT_ONCE === 0) await setImmediate();
      }
    },
  };
}
