import cluster from "node:cluster";
import { availableParallelism } from "node:os";
import { type Logger, pino } from "pino";
import { type AppParts, createApp } from "../app.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { redactDatabaseError } from "../database/failure.ts";
import { acceptNewerMigrations } from "../database/migrate.ts";
import { hasErrorCode } from "../files.ts";
import { BudgetError } from "../http/clients.ts";
import { createPort } from "../http/port.ts";
import { setUpInstance } from "../instance/set-up-instance.ts";
import { logFailure } from "../log-failure.ts";
import { countOutbox } from "../messages/count-outbox.ts";
import { emailRoute } from "../messages/senders/create-senders.ts";
import { createHasher } from "../passwords/hasher.ts";
import type { MetricSources, Metrics } from "../telemetry/metrics.ts";
import { openTracer } from "../telemetry/open-tracer.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import { checkConnections } from "./check-connections.ts";
import { deleteEnded } from "./delete-ended.ts";
import { deliverMessages } from "./deliver-messages.ts";
import { describeStart } from "./describe-start.ts";
import { openKeyring } from "./keyring.ts";
import { type OpenDatabase, openForServer, prepareTables } from "./open-database.ts";
import { openMetrics, openWorkersMetrics } from "./open-metrics.ts";
import { runWorkers, waitForPrimary } from "./serve-workers.ts";
import { waitForSignal } from "./wait-for-signal.ts";
import { watchCertificate } from "./watch-certificate.ts";

/** How long, after REQUEST_TIMEOUT_MS, connections may stay open while the service drains; and then the process. */
const MARGIN_MS = 1_000;
/** How long the last spans may take to be exported. */
const FLUSH_MS = 2_000;

/**
 * `signet serve`: runs the service until SIGTERM or SIGINT, then completes the requests in progress.
 *
 * @param options `workers`: number of processes; 0 starts one per core. Each worker process runs this function too.
 *   `version`: of Signet, for the metrics.
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
    // Buffer lines and flush at least five times a second, because a write per line costs a context switch each.
    pino.destination({ dest: 2, sync: false, minLength: 16_384, maxWrite: 65_536, periodicFlush: 200 }),
  );
  const certificate = config.tls && readCertificate(config.tls);
  if (isPrimary) return await servePrimary(config, count, log);
  const metrics = await openMetrics(config, { log, version, isWorker: worker !== undefined });
  try {
    const use = async (database: OpenDatabase) => {
      const keyring = openKeyring(config);
      if (worker === undefined) await prepareDatabase(config, database, keyring, log);
      const { db, pagesDb } = database;
      const passwords = createHasher({
        scheme: config.passwordHash,
        cost: config.bcryptCost,
        threads: config.hashThreads,
        metrics: metrics?.metrics,
      });
      const tracer = await openTracer(config, { log, version });
      const parts = {
        config,
        db,
        pagesDb,
        keyring,
        passwords,
        clock: () => new Date(),
        log,
        tracer,
        metrics: metrics?.metrics,
      };
      const { crashed, state } = database;
      try {
        await serveRequests(parts, { certificate, crashed, isWorker: worker !== undefined }, (sources) =>
          metrics?.watch({ ...sources, database: state, hashes: passwords.state }),
        );
        await passwords.close();
      } finally {
        await tracer?.close(FLUSH_MS);
      }
    };
    await withServerDatabase(config, log, use, metrics?.metrics);
    // Open connections to an unresponsive database would keep the process alive.
    setTimeout(() => process.exit(), MARGIN_MS).unref();
  } finally {
    await metrics?.close();
    // The channel to the primary would keep the process alive.
    worker?.disconnect();
  }
}

/** Checks the port and prepares the database once, so that a failed start prints one error. Then runs the workers. */
async function servePrimary(config: Config, count: number, log: Logger): Promise<void> {
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
  await withServerDatabase(config, log, async (database) => {
    await prepareDatabase(config, database, openKeyring(config), log);
  });
  // The default of HASH_THREADS is the number of cores, which the workers share.
  const threads = process.env.HASH_THREADS?.trim() || String(Math.max(1, Math.floor(availableParallelism() / count)));
  await runWorkers({
    count,
    environment: { HASH_THREADS: threads },
    log,
    stop: waitForSignal(config.shutdownDelayMs),
    onListening: (port) => announceStart({ ...config, port }, log),
  });
}

async function withServerDatabase(
  config: Config,
  log: Logger,
  use: (database: OpenDatabase) => Promise<void>,
  metrics?: Metrics,
): Promise<void> {
  const onIdleError = (error: Error) =>
    logFailure(log, "warn", { err: redactDatabaseError(error) }, "lost a connection to the database");
  const database = await openForServer(config, onIdleError, metrics);
  try {
    await use(database);
  } finally {
    await database.close();
  }
}

async function prepareDatabase(config: Config, database: OpenDatabase, keyring: Keyring, log: Logger): Promise<void> {
  const { db } = database;
  try {
    await checkConnections(config, db, log);
    await prepareTables(config, database);
    const newer = await acceptNewerMigrations(db);
    if (newer.length > 0) log.info({ newer }, "the database has migrations of a newer version");
    await registerKeys(db, keyring, new Date());
    await setUpInstance(db, config.createAdminToken ? config.adminTokenFile : undefined, new Date());
  } catch (error) {
    if (!(error instanceof Error && "path" in error)) throw error;
    throw new ConfigError(`ADMIN_TOKEN_FILE is invalid: cannot write "${config.adminTokenFile}" (${error.message})`);
  }
}

interface ServeOptions {
  readonly certificate: Certificate | undefined;
  readonly crashed: Promise<Error>;
  readonly isWorker: boolean;
}

/** Listens until a stop signal or a crash of the embedded database, then drains. */
async function serveRequests(
  parts: Omit<AppParts, "onQueued">,
  { certificate, crashed, isWorker }: ServeOptions,
  addSources: (sources: Pick<MetricSources, "deliveries" | "checkReady" | "countOutbox">) => void,
): Promise<void> {
  const { config, log, db, clock, metrics } = parts;
  const messages = deliverMessages(parts);
  const retention = deleteEnded(parts);
  const app = createApp({ ...parts, onQueued: messages.announce });
  addSources({
    deliveries: () => messages.counters,
    checkReady: app.checkReady,
    countOutbox: () => countOutbox(db, clock()),
  });
  const port = createPort({
    handler: app.handler,
    tls: certificate,
    trustedProxies: config.trustedProxies,
    requestTimeoutMs: config.requestTimeoutMs,
    budgets: {
      connections: config.maxConnections,
      connectionsPerAddress: config.maxConnectionsPerAddress,
      requests: { burst: 2 * config.maxAnonymousRequests, perSecond: config.maxAnonymousRequests },
    },
    onFault: (fault) => logFault(log, fault),
    metrics,
  });
  const stop = (isWorker ? waitForPrimary : waitForSignal)(config.shutdownDelayMs);
  const { port: number } = await listen(port, config);
  log.info({ host: config.host, port: number }, "listening");
  if (!isWorker) announceStart({ ...config, port: number }, log);
  const watch =
    config.tls &&
    certificate &&
    watchCertificate({ ...parts, files: config.tls, first: certificate, use: port.replaceCertificate });
  watch?.start();
  messages.start();
  retention.start();
  const stopping = new AbortController();
  const warmUp = app.warmUp(stopping.signal).then(() => log.debug("warmed up"));
  await Promise.race([stop.requested, crashed, warmUp]);

  let reason = await Promise.race([stop.requested, crashed]);
  stopping.abort();
  app.endReadiness();
  if (config.shutdownDelayMs > 0 && !(reason instanceof Error)) {
    log.info({ reason, delayMs: config.shutdownDelayMs }, "not ready, serving until the end of SHUTDOWN_DELAY_MS");
    reason = (await Promise.race([stop.due, crashed])) ?? reason;
  }
  app.beginDrain();
  log.info({ reason: reason instanceof Error ? reason.message : reason }, "draining");
  const graceMs = config.requestTimeoutMs + MARGIN_MS;
  // Without the database, the outcome of a delivery cannot be stored.
  await Promise.all([
    port.drain(graceMs),
    messages.stop(reason instanceof Error ? 0 : graceMs),
    // Without the database, the statement that is running does not end.
    reason instanceof Error ? undefined : retention.stop(),
  ]);
  watch?.stop();
  log.info("stopped");
  if (reason instanceof Error) throw new ConfigError(reason.message);
}

/** Announces that the service is ready. With workers, only the primary does this. */
function announceStart(config: Config, log: Logger): void {
  console.log(describeStart(config));
  if (emailRoute(config) === "none") log.warn("SMTP_URL is not set: emails stay queued");
}

async function listen(port: ReturnType<typeof createPort>, { host, port: number }: Config): Promise<{ port: number }> {
  try {
    return await port.listen(number, host);
  } catch (error) {
    if (hasErrorCode(error, "EADDRINUSE"))
      throw new ConfigError(`PORT is invalid: port ${number} is already in use on ${host}`);
    if (hasErrorCode(error, "EACCES"))
      throw new ConfigError(`PORT is invalid: this user is not permitted to listen on port ${number}`);
    if (hasErrorCode(error, "EADDRNOTAVAIL") || hasErrorCode(error, "ENOTFOUND")) {
      throw new ConfigError(`HOST is invalid: expected an address of this machine, got "${host}"`);
    }
    throw error;
  }
}

/** Logs only code and message: Node's parse errors contain the raw packet, which may include tokens. */
function logFault(log: Logger, fault: Error): void {
  if (fault instanceof BudgetError) logFailure(log, "warn", { err: fault }, "an address exceeded a budget");
  else if (fault.cause !== undefined) log.error({ err: fault.cause }, fault.message);
  else log.debug({ code: "code" in fault ? fault.code : undefined, fault: fault.message }, "connection error");
}
