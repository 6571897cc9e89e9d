import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "../config.ts";
import { type Address, type ConnectionPool, connect, openPool } from "../database/connection.ts";
import { type DataLock, lockDataDir, lockHolder } from "../database/data-lock.ts";
import type { Database } from "../database/database.ts";
import { type Embedded, embeddedAddress, startEmbedded } from "../database/embedded.ts";
import { findLostDatabase, recordDatabase } from "../database/lost-database.ts";
import { acceptNewerMigrations, FIRST_MIGRATION, migrate, pendingMigrations } from "../database/migrate.ts";
import { saveMemory } from "../database/save-memory.ts";
import type { Metrics } from "../telemetry/metrics.ts";

const START_FIRST = "run `signet serve` once to create the instance";

/** A connection to the configured database. */
export interface OpenDatabase {
  readonly db: Database;
  /** The same database, with the connection share for pages. */
  readonly pagesDb: Database;
  readonly state: ConnectionPool["state"];
  readonly address: Address;
  /** Resolves with the error if the embedded database stops unexpectedly; never resolves for PostgreSQL. */
  readonly crashed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Opens the database for the server. The embedded database is locked for this process until it is closed.
 *
 * @throws ConfigError if another process uses DATA_DIR, or its database is missing.
 */
export async function openForServer(
  config: Config,
  onIdleError: (error: Error) => void,
  metrics?: Metrics,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openPostgres(config, config.databasePoolSize, onIdleError, metrics);
  const lock = tryLock(config);
  if (lock === undefined) {
    const holder = lockHolder(config.dataDir);
    const other = holder === undefined ? "another Signet process" : `another Signet process (pid ${holder})`;
    throw new ConfigError(`DATA_DIR is in use: ${other} has locked "${config.dataDir}"; stop it or use another folder`);
  }
  return openEmbedded(config, lock, onIdleError, metrics);
}

/**
 * Opens the database for a command, and closes it after `use`. Connects to the embedded database of a running server
 * through its socket, or starts the embedded database if no server runs.
 *
 * @throws ConfigError if there is no instance yet, migrations are pending, or a newer version has run an incompatible
 *   migration; errors of `use`.
 */
export async function withDatabase<T>(config: Config, use: (db: Database) => Promise<T>): Promise<T> {
  throwIfNoDatabase(config);
  const { db, close } = await openBesideServer(config);
  try {
    await throwIfNotSetUp(db);
    return await use(db);
  } finally {
    await close();
  }
}

/** For commands that must not create a database, because DATA_DIR may be wrong. */
export function throwIfNoDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl === undefined && !existsSync(join(dataDir, "db"))) {
    throw new ConfigError(`DATA_DIR is invalid: expected a folder with a database, got "${dataDir}"; ${START_FIRST}`);
  }
}

export async function throwIfNotSetUp(db: Database): Promise<void> {
  await acceptNewerMigrations(db);
  const pending = await pendingMigrations(db);
  if (pending.includes(FIRST_MIGRATION)) throw new ConfigError(`the database is empty; ${START_FIRST}`);
  if (pending.length > 0) throw new ConfigError("the database has pending migrations; run `signet migrate`");
  const instance = await db.selectFrom("instance").select("id").executeTakeFirst();
  if (instance === undefined) throw new ConfigError(`the database contains no instance; ${START_FIRST}`);
}

/** Opens the database for a command. The caller must close it. Does not check for pending migrations or an instance. */
export async function openBesideServer(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openPostgres(config, 1, ignore);
  const lock = tryLock(config);
  if (lock !== undefined) return openEmbedded(config, lock, ignore);
  const address = { socketDir: embeddedAddress(config.dataDir) };
  return { ...openPool(address, 1, ignore), address, crashed: never() };
}

/**
 * Runs the pending migrations. The connection has no time limits, because a migration, or waiting for another process
 * that is running migrations, may take a long time.
 *
 * @returns The names of the migrations that this call ran.
 */
export async function migrateDatabase({ address }: OpenDatabase): Promise<string[]> {
  const db = connect(address, 1, ignore, { timeLimits: false });
  try {
    return await migrate(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Runs the pending migrations; with MIGRATE_ON_START=false, checks that there are none.
 *
 * @throws ConfigError if migrations are pending and MIGRATE_ON_START is false.
 */
export async function prepareTables({ migrateOnStart }: Config, database: OpenDatabase): Promise<void> {
  if (migrateOnStart) {
    await migrateDatabase(database);
    return;
  }
  const pending = await pendingMigrations(database.db);
  if (pending.length > 0) {
    throw new ConfigError(
      `the database has pending migrations, and MIGRATE_ON_START is false: run \`signet migrate\` first (${pending.join(", ")})`,
    );
  }
}

/** @returns Undefined if another process holds the lock. */
function tryLock({ dataDir }: Config): DataLock | undefined {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    throw dataDirError(dataDir, error);
  }
}

function dataDirError(dataDir: string, error: unknown): ConfigError {
  return new ConfigError(
    `DATA_DIR is invalid: cannot use "${dataDir}" (${error instanceof Error ? error.message : error})`,
  );
}

function openPostgres(
  config: Config,
  poolSize: number,
  onIdleError: (error: Error) => void,
  metrics?: Metrics,
): OpenDatabase {
  const address = { url: config.databaseUrl ?? "", prepared: config.databasePrepared };
  return { ...openPool(address, poolSize, onIdleError, { metrics }), address, crashed: never() };
}

async function openEmbedded(
  config: Config,
  lock: DataLock,
  onIdleError: (error: Error) => void,
  metrics?: Metrics,
): Promise<OpenDatabase> {
  let embedded: Embedded | undefined;
  try {
    const trace = findLostDatabase(config.dataDir);
    if (trace !== undefined) {
      const advice = "restore it from a backup, or use another folder for a new database";
      throw new Error(`${trace} exists, but its database in the subfolder db is missing: ${advice}`);
    }
    saveMemory();
    embedded = await startEmbedded(config.dataDir);
    recordDatabase(config.dataDir);
  } catch (error) {
    await embedded?.close();
    lock.release();
    throw dataDirError(config.dataDir, error);
  }
  const { socketDir, crashed, close } = embedded;
  const address = { socketDir };
  const connections = openPool(address, config.databasePoolSize, onIdleError, { metrics });
  return {
    ...connections,
    address,
    crashed,
    async close() {
      await connections.close();
      await close();
      lock.release();
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function ignore(): void {}
