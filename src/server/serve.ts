import cluster from "node:cluster";
import { availableParallelism } from "node:os";
import { pino } from "pino";
import { type Config, ConfigError } from "../config.ts";
import { readCertificate } from "./certificate.ts";
import { logDestinationOf } from "./log-destination.ts";

/**
 * `signet serve`: runs the service until SIGTERM or SIGINT, then completes the requests in progress.
 *
 * @param options `workers`: number of processes; 0 starts one per core. Each worker process runs this function too.
 *   `version`: Signet's version, for the metrics.
 * @throws ConfigError if the service cannot start.
 */
export async function serve(
  config: Config,
  { workers, version }: { readonly workers: number; readonly version: string },
): Promise<void> {
  if (workers !== 1 && config.databaseUrl === undefined) {
    throw new ConfigError(
      `--workers is invalid: expected 1 with the embedded database, got ${workers}; set DATABASE_URL to use more`,
    );
  }
  const count = workers === 0 ? availableParallelism() : workers;
  const worker = workers === 1 ? undefined : cluster.worker;
  const isPrimary = count > 1 && worker === undefined;
  const log = pino(
    {
      level: config.logLevel,
      base: isPrimary || worker ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    logDestinationOf(2),
  );
  const certificate = config.tls && readCertificate(config.tls);
  // Loaded on demand, because the primary does not serve requests: it starts in half the CPU time, with 50 MB less
  // memory.
  if (isPrimary) return (await import("./serve-primary.ts")).servePrimary(config, count, log);
  await (await import("./serve-process.ts")).serveProcess(config, { log, certificate, version, worker });
}
