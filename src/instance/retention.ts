import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { PURGE_BATCH, type Purge } from "../database/purge.ts";
import { type BackgroundWork, createBackgroundWork } from "./background-work.ts";

/**
 * Deletes rows that are no longer needed, in the background and in batches: one large DELETE would hold locks and fill
 * the disk.
 */
export interface Retention extends BackgroundWork {
  /** Deletes all due rows once. Rejects with the database error, or if it is stopped during a pause. */
  deleteDue(): Promise<void>;
}

interface RetentionParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long rows are kept after they have ended; 0 forever. */
  readonly days: number;
  readonly purges: readonly Purge[];
  /** Removes the files of messages that were queued before a time. */
  readonly removeFiles: (before: Date) => Promise<void>;
}

const DAY_MS = 86_400_000;
/** Pause before the first run, which keeps its load out of startup. */
const FIRST_MS = 60_000;
const INTERVAL_MS = 3_600_000;
/** Pause between two batches, so that calls have priority: at most 2,000 rows per second. */
const PAUSE_MS = 250;

export function createRetention({ db, clock, log, days, purges, removeFiles }: RetentionParts): Retention {
  const failure = "could not delete ended rows";
  const pauses = { firstPauseMs: FIRST_MS, pauseMs: INTERVAL_MS };
  const work = createBackgroundWork({ run: deleteDue, ...pauses, log, failure });
  const { signal } = work;

  async function deleteDue(): Promise<void> {
    const now = clock();
    const ended = new Date(now.getTime() - days * DAY_MS);
    for (const { what, isImmediate, deleteBatch } of purges) {
      if (days === 0 && !isImmediate) continue;
      const before = isImmediate ? now : ended;
      let count = 0;
      for (;;) {
        signal.throwIfAborted();
        const deleted = await deleteBatch(db, before);
        count += deleted;
        if (deleted < PURGE_BATCH) break;
        await delay(PAUSE_MS, undefined, { signal });
      }
      if (count > 0) log.info({ what, count, before }, "deleted ended rows");
    }
    if (days > 0) await removeFiles(ended);
  }

  return { ...work, deleteDue };
}
