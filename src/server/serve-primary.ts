import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { createPort } from "../http/port.ts";
import { openKeyring } from "./keyring.ts";
import { announceStart, listen } from "./listen.ts";
import { openWorkersMetrics } from "./open-metrics.ts";
import { prepareDatabase, withServerDatabase } from "./prepare-database.ts";
import { runWorkers } from "./serve-workers.ts";
import { waitForSignal } from "./wait-for-signal.ts";

/** Checks the port and prepares the database once, so that a failed start prints one error. Then runs the workers. */
export async function servePrimary(config: Config, count: number, log: Logger): Promise<void> {
  const probe = createPort({ handler() {} });
  await listen(probe, config);
  await probe.drain(0);
  const metrics = await openWorkersMetrics(config, log);
  try {
    await runPrimary(config, count, log);
  } finally {
    await metrics?.close();
  }
}

async function runPrimary(config: Config, count: number, log: Logger): Promise<void> {
  let administratorLink: string | undefined;
  await withServerDatabase(config, log, async (database) => {
    administratorLink = await prepareDatabase(config, database, openKeyring(config), log);
  });
  // The default of HASH_THREADS is the number of cores, which the workers share.
  const threads = process.env.HASH_THREADS?.trim() || String(Math.max(1, Math.floor(availableParallelism() / count)));
  await runWorkers({
    count,
    environment: { HASH_THREADS: threads },
    log,
    stop: waitForSignal(config.shutdownDelayMs),
    onListening: (port) => announceStart({ ...config, port }, log, administratorLink),
  });
}
