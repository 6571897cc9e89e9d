import type { Logger } from "pino";
import { logFailure } from "../log-failure.ts";

interface StoreRegularly {
  start(): void;
  /** Stores what is left. */
  stop(): Promise<void>;
}

interface Counts {
  /** What is stored, for the log. */
  readonly what: string;
  readonly intervalMs: number;
  readonly store: () => Promise<void>;
}

/**
 * Stores at intervals what calls and pages have counted, so that none of them waits for it. While the database is slow, one
 * statement at a time.
 */
export function storeRegularly({ what, intervalMs, store }: Counts, log: Logger): StoreRegularly {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const tryToStore = async () => {
    try {
      await store();
    } catch (error) {
      logFailure(log, "warn", { err: error }, `${what} could not be stored`);
    }
    running = undefined;
  };
  const storeNext = () => {
    running ??= tryToStore();
  };
  return {
    start() {
      timer = setInterval(storeNext, intervalMs).unref();
    },
    async stop() {
      clearInterval(timer);
      // If it fails, its counts are left.
      await running;
      await tryToStore();
    },
  };
}
