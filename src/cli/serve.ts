import cluster from "node:cluster";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { createSecureContext } from "node:tls";
import { type Logger, pino } from "pino";
import { type AppParts, createApp } from "../app.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { withoutRows } from "../database/failure.ts";
import { hasErrorCode, makeFolder } from "../files.ts";
import { BudgetError } from "../http/clients.ts";
import { createPort, type PortOptions } from "../http/port.ts";
import { setUpInstance } from "../instance/set-up-instance.ts";
import { logFailure } from "../log-failure.ts";
import { emailRoute } from "../messages/senders/create-senders.ts";
import { createHasher } from "../passwords/hasher.ts";
import { deliverMessages } from "./deliver-messages.ts";
import { describeStart } from "./describe-start.ts";
import { openKeyring } from "./keyring.ts";
import { migrateDatabase, type OpenDatabase, openForServer } from "./open-database.ts";
import { runWorkers, waitForPrimary } from "./serve-workers.ts";
import { waitForSignal } from "./wait-for-signal.ts";

/** How much more than a call's time the connections get, at any time and when the service stops; then, the process. */
const MARGIN_MS = 1_000;

/**
 * `signet serve`: runs the service until SIGTERM or SIGINT, then finishes the calls that run.
 *
 * @param options `workers`: in how many processes, 0 for as many as there are cores. Each of them runs this function too.
 * @throws ConfigError when it cannot start.
 */
export async function serve(config: Config, { workers }: { readonly workers: number }): Promise<void> {
  if (workers !== 1 && config.databaseUrl === undefined) {
    throw new ConfigError(`--workers is ${workers}: the embedded database serves one process; set DATABASE_URL`);
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
    // Lines are written together, five times a second at least: a write for each is a switch of context for each.
    pino.destination({ dest: 2, sync: false, minLength: 4_096, periodicFlush: 200 }),
  );
  const tls = readTls(config);
  if (isPrimary) return await servePrimary(config, count, log);
  try {
    await withDatabase(config, log, async (database) => {
      const keyring = openKeyring(config);
      if (worker === undefined) await prepareDatabase(config, database, keyring);
      const { db, pagesDb } = database;
      const passwords = createHasher({ cost: config.bcryptCost, threads: config.hashThreads });
      const parts = { config, db, pagesDb, keyring, passwords, clock: () => new Date(), log };
      await run(parts, tls, database.died, worker !== undefined);
      await passwords.close();
    });
    // A database that does not answer a goodbye keeps its connections open, and they the process.
    setTimeout(() => process.exit(), MARGIN_MS).unref();
  } finally {
    // Otherwise the channel to the primary keeps the process alive.
    worker?.disconnect();
  }
}

/** Makes everything ready, so that a start is refused once and in one line, and leaves the port to the workers. */
async function servePrimary(config: Config, count: number, log: Logger): Promise<void> {
  const probe = createPort({ handler() {} });
  await listen(probe, config);
  await probe.drain(0);
  await withDatabase(config, log, async (database) => {
    await prepareDatabase(config, database, openKeyring(config));
  });
  // A worker reads the same variables, and this one where it is set; its own default would be all cores.
  const threads = process.env.HASH_THREADS?.trim() || String(Math.max(1, Math.floor(availableParallelism() / count)));
  await runWorkers({
    count,
    environment: { HASH_THREADS: threads },
    log,
    stop: waitForSignal(),
    onListening: (port) => tellStart({ ...config, port }, log),
  });
}

async function withDatabase(
  config: Config,
  log: Logger,
  use: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const database = await openForServer(config, (error) =>
    logFailure(log, "warn", { err: withoutRows(error) }, "a connection to the database broke"),
  );
  try {
    await use(database);
  } finally {
    await database.close();
  }
}

async function prepareDatabase(config: Config, database: OpenDatabase, keyring: Keyring): Promise<void> {
  const { db } = database;
  try {
    await migrateDatabase(database);
    await registerKeys(db, keyring, new Date());
    makeFolder(dirname(config.adminTokenFile));
    await setUpInstance(db, config.adminTokenFile, new Date());
  } catch (error) {
    if (!(error instanceof Error && "path" in error)) throw error;
    throw new ConfigError(`ADMIN_TOKEN_FILE is "${config.adminTokenFile}": it cannot be written (${error.message})`);
  }
}

/** Listens, and resolves once the service was told to stop and nothing runs any more. */
async function run(
  parts: Omit<AppParts, "onQueued">,
  tls: PortOptions["tls"],
  died: Promise<Error>,
  isWorker: boolean,
): Promise<void> {
  const { config, log } = parts;
  const messages = deliverMessages(parts);
  const app = createApp({ ...parts, onQueued: messages.announce });
  const port = createPort({
    handler: app.handler,
    tls,
    trustedProxies: config.trustedProxies,
    requestTimeoutMs: config.requestTimeoutMs,
    budgets: {
      connections: config.maxConnections,
      connectionsPerAddress: config.maxConnectionsPerAddress,
      requests: { burst: 4 * config.maxAnonymousRequests, perSecond: config.maxAnonymousRequests },
    },
    onFault: (fault) => logFault(log, fault),
  });
  const stop = isWorker ? waitForPrimary() : waitForSignal();
  const { port: number } = await listen(port, config);
  log.info({ host: config.host, port: number }, "listening");
  if (!isWorker) tellStart({ ...config, port: number }, log);
  messages.start();

  const reason = await Promise.race([stop, died]);
  app.beginDrain();
  log.info({ reason: reason instanceof Error ? reason.message : reason }, "draining");
  const graceMs = config.requestTimeoutMs + MARGIN_MS;
  // Without its database nothing that was sent can be stored any more.
  await Promise.all([port.drain(graceMs), messages.stop(reason instanceof Error ? 0 : graceMs)]);
  log.info("stopped");
  if (reason instanceof Error) throw new ConfigError(reason.message);
}

/** Says that the service runs: once, also where it does so in several processes. */
function tellStart(config: Config, log: Logger): void {
  console.log(describeStart(config));
  if (emailRoute(config) === "none") log.warn("SMTP_URL is not set: emails wait in the queue");
}

async function listen(port: ReturnType<typeof createPort>, { host, port: number }: Config): Promise<{ port: number }> {
  try {
    return await port.listen(number, host);
  } catch (error) {
    if (hasErrorCode(error, "EADDRINUSE"))
      throw new ConfigError(`PORT is "${number}": another program listens there on ${host}`);
    if (hasErrorCode(error, "EACCES")) throw new ConfigError(`PORT is "${number}": this user may not listen there`);
    if (hasErrorCode(error, "EADDRNOTAVAIL") || hasErrorCode(error, "ENOTFOUND")) {
      throw new ConfigError(`HOST is "${host}": it is no address of this machine`);
    }
    throw error;
  }
}

function readTls({ tls }: Config) {
  if (tls === undefined) return undefined;
  const pair = { cert: readPem("TLS_CERT_FILE", tls.certFile), key: readPem("TLS_KEY_FILE", tls.keyFile) };
  try {
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new ConfigError(
      `TLS_CERT_FILE is "${tls.certFile}" and TLS_KEY_FILE is "${tls.keyFile}": they must hold a certificate and its key in PEM (${error instanceof Error ? error.message : error})`,
    );
  }
}

function readPem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError(
      `${name} is "${file}": it cannot be read (${error instanceof Error ? error.message : error})`,
    );
  }
}

/** Only code and message of a broken connection: Node adds the bytes that it did not understand, with tokens in them. */
function logFault(log: Logger, fault: Error): void {
  if (fault instanceof BudgetError) logFailure(log, "warn", { err: fault }, "an address exceeded a budget");
  else if (fault.cause !== undefined) log.error({ err: fault.cause }, fault.message);
  else log.debug({ code: "code" in fault ? fault.code : undefined, fault: fault.message }, "a connection broke");
}
