import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { mayPass } from "../database/failure.ts";
import { describeFailure } from "./describe-failure.ts";

/** How long a start waits, from the first failure. */
const LIMIT_MS = 10_000;
const PAUSE_MS = 250;

/**
 * Runs `prepare`, and repeats it as long as the database cannot serve yet: it may be starting too, or a proxy that has
 * not checked its servers yet forwards connections to a standby, which is read-only. Logs the first failure.
 *
 * @throws The last error after the limit, and any other error immediately.
 */
export async function waitForDatabase(log: Logger, prepare: () => Promise<void>): Promise<void> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await prepare();
    } catch (error) {
      if (!mayPass(error) || (deadline !== undefined && performance.now() > deadline)) throw error;
      if (deadline === undefined) log.warn({ problem: describeFailure(error) }, "waiting for the database");
      deadline ??= performance.now() + LIMIT_MS;
    }
    await delay(PAUSE_MS);
  }
}
