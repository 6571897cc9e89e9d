import { mkdirSync } from "node:fs";
import type { Kysely } from "kysely";
import { type Config, ConfigError } from "../config.ts";
import { connect } from "../database/connection.ts";
import { type DataLock, lockDataDir } from "../database/data-lock.ts";
import { type Embedded, embeddedAddress, startEmbedded } from "../database/embedded.ts";
import { pendingMigrations } from "../database/migrate.ts";
import type { Tables } from "../database/tables.ts";

/** The database that the configuration names, open. */
export interface OpenDatabase {
  readonly db: Kysely<Tables>;
  /** Never resolves for PostgreSQL; for the embedded one, with the reason, when it ends by itself. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Opens the database for the server. The embedded one is this process's alone until it is closed.
 *
 * @throws ConfigError when another process has the folder.
 */
export async function openForServer(config: Config, onIdleError: (error: Error) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openPostgres(config, config.databasePoolSize, onIdleError);
  const lock = lockDataDir(config.dataDir);
  if (lock === undefined) {
    throw new ConfigError(
      `DATA_DIR is "${config.dataDir}": another Signet uses it; stop that one, or choose another folder`,
    );
  }
  return openEmbedded(config, lock, onIdleError);
}

/**
 * Opens the database for a command, beside a server that may be running: the embedded one is reached by its socket
 * then, and started for the time of the command otherwise.
 *
 * @throws ConfigError when the tables are not there or not up to date.
 */
export async function openForCommand(config: Config): Promise<OpenDatabase> {
  const opened = await openBesideServer(config);
  try {
    const pending = await pendingMigrations(opened.db);
    if (pending.length > 0)
      throw new ConfigError("the database is not up to date: run `signet serve` or `signet migrate` first");
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** As `openForCommand`, whatever the state of the tables. */
export async function openBesideServer(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openPostgres(config, 1, ignore);
  const lock = lockDataDir(config.dataDir);
  if (lock !== undefined) return openEmbedded(config, lock, ignore);
  const db = connect({ socketDir: embeddedAddress(config.dataDir) }, 1, ignore);
  return { db, died: never(), close: () => db.destroy() };
}

function openPostgres(config: Config, poolSize: number, onIdleError: (error: Error) => void): OpenDatabase {
  const db = connect({ url: config.databaseUrl ?? "" }, poolSize, onIdleError);
  return { db, died: never(), close: () => db.destroy() };
}

async function openEmbedded(
  config: Config,
  lock: DataLock,
  onIdleError: (error: Error) => void,
): Promise<OpenDatabase> {
  let embedded: Embedded;
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    embedded = await startEmbedded(config.dataDir);
  } catch (error) {
    lock.release();
    throw error;
  }
  const db = connect({ socketDir: embedded.socketDir }, config.databasePoolSize, onIdleError);
  return {
    db,
    died: embedded.died,
    async close() {
      await db.destroy();
      await embedded.close();
      lock.release();
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function ignore(): void {}
