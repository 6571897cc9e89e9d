import type { Logger } from "pino";
import type { TokenUses } from "../access/token-uses.ts";
import type { Database } from "../database/database.ts";
import { logFailure } from "../log-failure.ts";

interface StoreTokenUses {
  start(): void;
  /** Stores what is left. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 60_000;

/** Stores the uses of personal access tokens every minute, so that no call waits for it. */
export function storeTokenUses(uses: TokenUses, { db, log }: { db: Database; log: Logger }): StoreTokenUses {
  let timer: NodeJS.Timeout | undefined;
  const store = async () => {
    try {
      await uses.store(db);
    } catch (error) {
      logFailure(log, "warn", { err: error }, "the uses of tokens could not be stored");
    }
  };
  return {
    start() {
      timer = setInterval(store, INTERVAL_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await store();
    },
  };
}
