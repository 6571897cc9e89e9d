import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { type Config, ConfigError } from "../config.ts";
import { type Address, connect, openConnections } from "../database/connection.ts";
import { type DataLock, lockDataDir, lockHolder } from "../database/data-lock.ts";
import { type Embedded, embeddedAddress, startEmbedded } from "../database/embedded.ts";
import { findLostDatabase, recordDatabase } from "../database/lost-database.ts";
import { migrate, pendingMigrations } from "../database/migrate.ts";
import type { Tables } from "../database/tables.ts";

const START_FIRST = "run `signet serve` first: its first start makes the instance";

/** The open database of the configuration. */
export interface OpenDatabase {
  readonly db: Kysely<Tables>;
  /** The same database, with the pages' part of the connections. */
  readonly pagesDb: Kysely<Tables>;
  readonly address: Address;
  /** Resolves with the reason when the embedded database ends unexpectedly; never for PostgreSQL. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Opens the database for the server. This process has the embedded one to itself until it is closed.
 *
 * @throws ConfigError when another process uses DATA_DIR, or when its database is missing.
 */
export async function openForServer(config: Config, onIdleError: (error: Error) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openPostgres(config, config.databasePoolSize, onIdleError);
  const lock = tryLock(config);
  if (lock === undefined) {
    const holder = lockHolder(config.dataDir);
    const other = holder === undefined ? "another Signet" : `another Signet, process ${holder},`;
    throw new ConfigError(`DATA_DIR is "${config.dataDir}": ${other} uses it; stop that one, or choose another folder`);
  }
  return openEmbedded(config, lock, onIdleError);
}

/**
 * Opens the database for a command. A server may be running: its embedded database is then reached through its socket;
 * otherwise the command starts it.
 *
 * @throws ConfigError when there is no instance yet, or when the tables are not up to date.
 */
export async function openForCommand(config: Config): Promise<OpenDatabase> {
  // Do not create a database: DATA_DIR may be wrong.
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, "db"))) {
    throw new ConfigError(`DATA_DIR is "${config.dataDir}": there is no database yet; ${START_FIRST}`);
  }
  const opened = await openBesideServer(config);
  try {
    const pending = await pendingMigrations(opened.db);
    if (pending.includes("0001-first-tables")) throw new ConfigError(`the database is empty; ${START_FIRST}`);
    if (pending.length > 0) throw new ConfigError("the database is not up to date: run `signet migrate` first");
    const instance = await opened.db.selectFrom("instance").select("id").executeTakeFirst();
    if (instance === undefined) throw new ConfigError(`the database has tables and no instance; ${START_FIRST}`);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** As `openForCommand`, without checking the tables. */
export async function openBesideServer(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openPostgres(config, 1, ignore);
  const lock = tryLock(config);
  if (lock !== undefined) return openEmbedded(config, lock, ignore);
  const address = { socketDir: embeddedAddress(config.dataDir) };
  return { ...openConnections(address, 1, ignore), address, died: never() };
}

/**
 * Runs the pending migrations over a connection without time limits: a migration may take long, and so may the wait for
 * another process that runs them.
 *
 * @returns The names of the migrations that it ran.
 */
export async function migrateDatabase({ address }: OpenDatabase): Promise<string[]> {
  const db = connect(address, 1, ignore, { timeLimits: false });
  try {
    return await migrate(db);
  } finally {
    await db.destroy();
  }
}

/** @returns undefined while another process uses the folder. */
function tryLock({ dataDir }: Config): DataLock | undefined {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

function unusable(dataDir: string, error: unknown): ConfigError {
  return new ConfigError(
    `DATA_DIR is "${dataDir}": it cannot be used (${error instanceof Error ? error.message : error})`,
  );
}

function openPostgres(config: Config, poolSize: number, onIdleError: (error: Error) => void): OpenDatabase {
  const address = { url: config.databaseUrl ?? "" };
  return { ...openConnections(address, poolSize, onIdleError), address, died: never() };
}

async function openEmbedded(
  config: Config,
  lock: DataLock,
  onIdleError: (error: Error) => void,
): Promise<OpenDatabase> {
  let embedded: Embedded | undefined;
  try {
    const trace = findLostDatabase(config.dataDir);
    if (trace !== undefined) {
      const advice = "restore it from a copy, or choose another folder for a new database";
      throw new Error(`${trace} belongs to a database that is missing in the folder db: ${advice}`);
    }
    embedded = await startEmbedded(config.dataDir);
    recordDatabase(config.dataDir);
  } catch (error) {
    await embedded?.close();
    lock.release();
    throw unusable(config.dataDir, error);
  }
  const { socketDir, died, close } = embedded;
  const address = { socketDir };
  const connections = openConnections(address, config.databasePoolSize, onIdleError);
  return {
    ...connections,
    address,
    died,
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
