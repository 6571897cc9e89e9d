import { setImmediate } from "node:timers/promises";

/** Watchers that wait for events. */
export interface WaitingWatchers {
  /** Adds a watcher. Once the signal is aborted, it does not wait any more. */
  add(signal: AbortSignal): WaitingWatcher;
  /** Lets the watchers continue, a few in each turn of the event loop. */
  wake(): Promise<void>;
}

interface WaitingWatcher {
  /** Resolves at the next `wake`, once the time has passed, or when the signal is aborted. */
  wait(timeoutMs: number): Promise<void>;
  remove(): void;
}

/** Watchers that continue in one turn of the event loop: each takes about 30 µs for an event. */
const WOKEN_AT_ONCE = 200;

export function createWaitingWatchers(): WaitingWatchers {
  const waiting = new Set<() => void>();
  return {
    add(signal) {
      let resolve: (() => void) | undefined;
      let timer: NodeJS.Timeout | undefined;
      const proceed = () => {
        waiting.delete(proceed);
        clearTimeout(timer);
        resolve?.();
      };
      // One listener for all waits: adding and removing one takes longer than the rest of a wait.
      signal.addEventListener("abort", proceed);
      return {
        async wait(timeoutMs) {
          if (signal.aborted) return;
          await new Promise<void>((done) => {
            resolve = done;
            timer = setTimeout(proceed, timeoutMs);
            waiting.add(proceed);
          });
        },
        remove: () => signal.removeEventListener("abort", proceed),
      };
    },
    async wake() {
      let woken = 0;
      for (const proceed of [...waiting]) {
        proceed();
        woken += 1;
        if (woken % WOKEN_AT_ONCE === 0) await setImmediate();
      }
    },
  };
}
