import type { Logger } from "pino";
import { type Config, ConfigError } from "../config.ts";
import { hasErrorCode } from "../files.ts";
import { logFailure } from "../log-failure.ts";
import type { MetricSources, Metrics } from "../telemetry/metrics.ts";

/** The metrics of this process. */
interface OpenMetrics {
  readonly metrics: Metrics;
  /** Adds the metrics of the service's state. */
  watch(sources: MetricSources): void;
  close(): Promise<void>;
}

interface Options {
  readonly log: Logger;
  /** Of Signet. */
  readonly version: string;
}

/**
 * Collects metrics, and serves them on METRICS_PORT; in a worker, to the primary. Loads nothing if METRICS_PORT is not
 * set.
 *
 * @returns Undefined if METRICS_PORT is not set.
 * @throws ConfigError if the port is in use.
 */
export async function openMetrics(
  config: Config,
  { log, version, isWorker }: Options & { readonly isWorker: boolean },
): Promise<OpenMetrics | undefined> {
  if (config.metrics === undefined) return undefined;
  const { createProcessMetrics } = await import("../telemetry/metrics-registry.ts");
  const collected = createProcessMetrics({ version, node: process.version });
  const { print, metrics, watch } = collected;
  const endpoint = isWorker
    ? (await import("../telemetry/metrics-workers.ts")).reportToPrimary(collected)
    : await serveMetrics(config.metrics, print, log);
  return {
    metrics,
    watch,
    async close() {
      await endpoint.close();
      collected.close();
    },
  };
}

/**
 * In the primary: serves the metrics of all workers on METRICS_PORT.
 *
 * @throws ConfigError if the port is in use.
 */
export async function openWorkersMetrics(config: Config, log: Logger): Promise<Pick<OpenMetrics, "close"> | undefined> {
  if (config.metrics === undefined) return undefined;
  const { createWorkersMetrics } = await import("../telemetry/metrics-workers.ts");
  const workers = createWorkersMetrics();
  const server = await serveMetrics(config.metrics, workers.print, log);
  return {
    async close() {
      await server.close();
      workers.close();
    },
  };
}

async function serveMetrics(
  { host, port }: NonNullable<Config["metrics"]>,
  print: () => Promise<string>,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  const { startMetricsServer } = await import("../telemetry/metrics-server.ts");
  const onError = (err: unknown) => logFailure(log, "error", { err }, "metrics could not be served");
  try {
    const server = await startMetricsServer({ host, port, print, onError });
    log.info({ host, port: server.port }, "serving metrics");
    return server;
  } catch (error) {
    if (hasErrorCode(error, "EADDRINUSE")) {
      throw new ConfigError(`METRICS_PORT is invalid: port ${port} is already in use on ${host}`);
    }
    if (hasErrorCode(error, "EACCES")) {
      throw new ConfigError(`METRICS_PORT is invalid: this user is not permitted to listen on port ${port}`);
    }
    if (hasErrorCode(error, "EADDRNOTAVAIL") || hasErrorCode(error, "ENOTFOUND")) {
      throw new ConfigError(`METRICS_HOST is invalid: expected an address of this machine, got "${host}"`);
    }
    throw error;
  }
}
