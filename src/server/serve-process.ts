import type { Worker } from "node:cluster";
import type { Logger } from "pino";
import { type App, type AppParts, createApp } from "../app.ts";
import { type Config, ConfigError } from "../config.ts";
import { readClockOffset } from "../database/clock-offset.ts";
import { BudgetError } from "../http/clients.ts";
import { createPort, type Port } from "../http/port.ts";
import { createOrgRemoval } from "../instance/org-removal/create-org-removal.ts";
import { createTableMaintenance } from "../instance/table-maintenance.ts";
import { logFailure } from "../log-failure.ts";
import { countOutbox } from "../messages/count-outbox.ts";
import { createHasher } from "../passwords/hasher.ts";
import type { MetricSources } from "../telemetry/metrics.ts";
import { openTracer } from "../telemetry/open-tracer.ts";
import { countDeliveries } from "../webhooks/count-deliveries.ts";
import type { Certificate } from "./certificate.ts";
import { deleteEnded } from "./delete-ended.ts";
import { deliverMessages } from "./deliver-messages.ts";
import { deliverWebhooks } from "./deliver-webhooks.ts";
import { openKeyring } from "./keyring.ts";
import { announceStart, listen } from "./listen.ts";
import type { OpenDatabase } from "./open-database.ts";
import { openMetrics } from "./open-metrics.ts";
import { prepareDatabase, withServerDatabase } from "./prepare-database.ts";
import { waitForPrimary } from "./serve-workers.ts";
import type { Stop } from "./stop.ts";
import { storeRegularly } from "./store-regularly.ts";
import { waitForSignal } from "./wait-for-signal.ts";
import { type CertificateWatch, watchCertificate } from "./watch-certificate.ts";

/**
 * How long, after REQUEST_TIMEOUT_MS, connections may stay open while the service drains, and after that, the process.
 */
const MARGIN_MS = 1_000;
const TOKEN_USES_MS = 60_000;
const FAILED_SIGN_INS_MS = 1_000;
const SCIM_REQUESTS_MS = 2_000;
/** How long the last spans may take to be exported. */
const FLUSH_MS = 2_000;

interface ProcessOptions {
  readonly log: Logger;
  readonly certificate: Certificate | undefined;
  readonly version: string;
  /** This process, if it was started by a primary. */
  readonly worker: Worker | undefined;
}

/** Serves requests in this process until it is stopped, either as the only process or as one of the workers. */
export async function serveProcess(
  config: Config,
  { log, certificate, version, worker }: ProcessOptions,
): Promise<void> {
  const metrics = await openMetrics(config, { log, version, isWorker: worker !== undefined });
  try {
    const use = async (database: OpenDatabase) => {
      const keyring = openKeyring(config);
      const administratorLink =
        worker === undefined ? await prepareDatabase(config, database, keyring, log) : undefined;
      const { db, pagesDb } = database;
      const passwords = createHasher({
        scheme: config.passwordHash,
        cost: config.bcryptCost,
        threads: config.hashThreads,
        metrics: metrics?.metrics,
      });
      const tracer = await openTracer(config, { log, version });
      const clock = () => new Date();
      const opened = { db, pagesDb, keyring, passwords, clock, log, tracer, metrics: metrics?.metrics };
      const parts = { config, version, ...opened };
      const { crashed, state } = database;
      try {
        await serveRequests(
          parts,
          { certificate, crashed, isWorker: worker !== undefined, administratorLink },
          (sources) => metrics?.watch({ ...sources, database: state, hashes: passwords.state }),
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

interface ServeOptions {
  readonly certificate: Certificate | undefined;
  readonly crashed: Promise<Error>;
  readonly isWorker: boolean;
  /** See `prepareDatabase`. */
  readonly administratorLink: string | undefined;
}

/** Listens until a stop signal or a crash of the embedded database, then drains. */
async function serveRequests(
  parts: Omit<AppParts, "onQueued">,
  { certificate, crashed, isWorker, administratorLink }: ServeOptions,
  addSources: (sources: Omit<MetricSources, "database" | "hashes">) => void,
): Promise<void> {
  const { config, log, db, clock } = parts;
  const messages = deliverMessages(parts);
  const webhooks = deliverWebhooks(parts);
  const retention = deleteEnded(parts);
  const maintenance = createTableMaintenance({ db, isEmbedded: config.databaseUrl === undefined, log });
  const app = createApp({ ...parts, onQueued: messages.announce });
  const tokenUses = storeRegularly(
    { what: "the uses of tokens", intervalMs: TOKEN_USES_MS, store: () => app.tokenUses.store(db) },
    log,
  );
  const scimRequests = storeRegularly(
    { what: "requests of directories", intervalMs: SCIM_REQUESTS_MS, store: () => app.scimRequests.store(db) },
    log,
  );
  const failedSignIns = storeRegularly(
    { what: "failed sign-ins", intervalMs: FAILED_SIGN_INS_MS, store: () => app.failedSignIns.store(db) },
    log,
  );
  const { announceEnds, eraseFiles } = app;
  const removal = createOrgRemoval({ ...parts, announceEnds, eraseFiles, requestTimeoutMs: config.requestTimeoutMs });
  const port = openPort(parts, app, certificate);
  let expiresAt = certificate?.expiresAt;
  const watch = watchFiles(parts, certificate, (next) => {
    port.replaceCertificate(next);
    expiresAt = next.expiresAt;
  });
  addSources({
    deliveries: () => messages.counters,
    webhookDeliveries: () => webhooks.counters,
    checkReady: app.checkReady,
    certificateExpiresAt: () => expiresAt,
    readClockOffset: () => readClockOffset(db, clock),
    countOutbox: () => countOutbox(db, clock()),
    countWebhookDeliveries: () => countDeliveries(db, clock()),
  });
  const stop = (isWorker ? waitForPrimary : waitForSignal)(config.shutdownDelayMs);
  const { port: number } = await listen(port, config);
  log.info({ host: config.host, port: number }, "listening");
  if (!isWorker) announceStart({ ...config, port: number }, log, administratorLink);
  watch?.start();
  messages.start();
  webhooks.start();
  retention.start();
  maintenance.start();
  removal.start();
  tokenUses.start();
  failedSignIns.start();
  scimRequests.start();

  const reason = await runUntilStopped(parts, app, { stop, crashed });
  log.info({ reason: reason instanceof Error ? reason.message : reason }, "draining");
  const graceMs = config.requestTimeoutMs + MARGIN_MS;
  // Without the database, running statements never end, and delivery outcomes cannot be stored.
  const hasDatabase = !(reason instanceof Error);
  await Promise.all([
    port.drain(graceMs),
    messages.stop(hasDatabase ? graceMs : 0),
    webhooks.stop(hasDatabase ? graceMs : 0),
    hasDatabase ? retention.stop() : undefined,
    hasDatabase ? maintenance.stop() : undefined,
    hasDatabase ? removal.stop() : undefined,
    hasDatabase ? tokenUses.stop() : undefined,
  ]);
  // The last pages and requests have been served.
  if (hasDatabase) await Promise.all([failedSignIns.stop(), scimRequests.stop()]);
  watch?.stop();
  log.info("stopped");
  if (reason instanceof Error) throw new ConfigError(reason.message);
}

function openPort({ config, log, metrics }: Omit<AppParts, "onQueued">, app: App, tls: Certificate | undefined): Port {
  const { maxConnections, maxConnectionsPerAddress, maxAnonymousRequests } = config;
  return createPort({
    handler: app.handler,
    isRecognized: app.isRecognized,
    tls,
    trustedProxies: config.trustedProxies,
    requestTimeoutMs: config.requestTimeoutMs,
    budgets: {
      connections: maxConnections,
      connectionsPerAddress: maxConnectionsPerAddress,
      requests: { burst: 2 * maxAnonymousRequests, perSecond: maxAnonymousRequests },
    },
    onFault: (fault) => logFault(log, fault),
    metrics,
  });
}

/** Undefined without TLS. */
function watchFiles(
  { config, clock, log }: Omit<AppParts, "onQueued">,
  first: Certificate | undefined,
  use: (certificate: Certificate) => void,
): CertificateWatch | undefined {
  return config.tls && first && watchCertificate({ files: config.tls, first, use, clock, log });
}

/**
 * Warms up, and serves until a stop signal and the end of SHUTDOWN_DELAY_MS, or a crash of the embedded database.
 *
 * @returns The signal, or the crash.
 */
async function runUntilStopped(
  { config, log }: Omit<AppParts, "onQueued">,
  app: App,
  { stop, crashed }: { readonly stop: Stop; readonly crashed: Promise<Error> },
): Promise<string | Error> {
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
  return reason;
}

/** Logs only code and message: Node's parse errors contain the raw packet, which may include tokens. */
function logFault(log: Logger, fault: Error): void {
  if (fault instanceof BudgetError) logFailure(log, "warn", { err: fault }, "an address exceeded a budget");
  else if (fault.cause !== undefined) log.error({ err: fault.cause }, fault.message);
  else log.debug({ code: "code" in fault ? fault.code : undefined, fault: fault.message }, "connection error");
}
