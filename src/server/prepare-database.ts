import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { readClockOffset } from "../database/clock-offset.ts";
import type { Database } from "../database/database.ts";
import { mayPass, redactDatabaseError } from "../database/failure.ts";
import { acceptNewerMigrations } from "../database/migrate.ts";
import { createAdministratorLink } from "../instance/administrator-link.ts";
import { ensureConsole } from "../instance/ensure-console.ts";
import { setUpInstance } from "../instance/set-up-instance.ts";
import { logFailure } from "../log-failure.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { checkConnections } from "./check-connections.ts";
import { describeFailure } from "./describe-failure.ts";
import { type OpenDatabase, openForServer, prepareTables } from "./open-database.ts";

/** Opens the database for the server, and closes it after `use`. */
export async function withServerDatabase(
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

/**
 * Runs the pending migrations, and creates the instance and the application of the console if there are none. Waits for
 * a database that cannot serve yet.
 *
 * @returns A link that makes the first administrator; undefined if there is one.
 * @throws ConfigError if the database does not fit the configuration, or the token file cannot be written.
 */
export async function prepareDatabase(
  config: Config,
  database: OpenDatabase,
  keyring: Keyring,
  log: Logger,
): Promise<string | undefined> {
  const { db } = database;
  const parts = { db, clock: () => new Date() };
  let administratorLink: string | undefined;
  try {
    await waitForDatabase(log, async () => {
      await checkConnections(config, db, log);
      await prepareTables(config, database);
      const newer = await acceptNewerMigrations(db);
      if (newer.length > 0) log.info({ newer }, "the database has migrations of a newer version");
      await registerKeys(db, keyring, new Date());
      const tokenFile = config.createAdminToken ? config.adminTokenFile : undefined;
      await setUpInstance(db, tokenFile, new Date());
      await ensureConsole(parts, config.publicUrl);
      administratorLink = await createAdministratorLink({ ...parts, keyring }, config.publicUrl);
    });
    await checkClock(db, parts.clock, log);
    return administratorLink;
  } catch (error) {
    if (!(error instanceof Error && "path" in error)) throw error;
    throw new ConfigError(`ADMIN_TOKEN_FILE is invalid: cannot write "${config.adminTokenFile}" (${error.message})`);
  }
}

/** The period of a one-time code. With a clock that is further off, users' codes are rejected. */
const MAX_OFFSET_SECONDS = 30;

/** Logs a warning if the clock of this process and that of the database differ by more than 30 s. */
async function checkClock(db: Database, clock: Clock, log: Logger): Promise<void> {
  const offsetSeconds = await readClockOffset(db, clock);
  if (Math.abs(offsetSeconds) <= MAX_OFFSET_SECONDS) return;
  const direction = offsetSeconds > 0 ? "ahead of" : "behind";
  log.warn({ offsetSeconds }, `the clock is ${direction} that of the database: synchronize both`);
}

/** How long a start waits, from the first failure. */
const LIMIT_MS = 10_000;
const PAUSE_MS = 250;

/**
 * Runs `prepare`, and repeats it as long as the database cannot serve yet: it may be starting too, or a proxy that has
 * not checked its servers yet forwards connections to a standby, which is read-only. Logs the first failure.
 *
 * @throws The last error after the limit, and any other error immediately.
 */
async function waitForDatabase(log: Logger, prepare: () => Promise<void>): Promise<void> {
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
