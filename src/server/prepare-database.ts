import type { Logger } from "pino";
import { type Config, ConfigError } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { redactDatabaseError } from "../database/failure.ts";
import { acceptNewerMigrations } from "../database/migrate.ts";
import { createAdministratorLink } from "../instance/administrator-link.ts";
import { ensureConsole } from "../instance/ensure-console.ts";
import { setUpInstance } from "../instance/set-up-instance.ts";
import { logFailure } from "../log-failure.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { checkClock } from "./check-clock.ts";
import { checkConnections } from "./check-connections.ts";
import { type OpenDatabase, openForServer, prepareTables } from "./open-database.ts";
import { waitForDatabase } from "./wait-for-database.ts";

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
