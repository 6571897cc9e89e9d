import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { readClockOffset } from "../database/clock-offset.ts";
import type { Database } from "../database/database.ts";

/** The period of a one-time code. With a clock that is further off, users' codes are rejected. */
const MAX_OFFSET_SECONDS = 30;

/** Logs a warning if the clock of this process and that of the database differ by more than 30 s. */
export async function checkClock(db: Database, clock: Clock, log: Logger): Promise<void> {
  const offsetSeconds = await readClockOffset(db, clock);
  if (Math.abs(offsetSeconds) <= MAX_OFFSET_SECONDS) return;
  const direction = offsetSeconds > 0 ? "ahead of" : "behind";
  log.warn({ offsetSeconds }, `the clock is ${direction} that of the database: synchronize both`);
}
