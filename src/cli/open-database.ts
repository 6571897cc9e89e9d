import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { type Config, ConfigError } from "../config.ts";
import { type Address, connect } from "../database/connection.ts";
import { type DataLock, lockDataDir, lockHolder } from "../database/data-lock.ts";
import { type Embedded, embeddedAddress, startEmbedded } from "../database/embedded.ts";
import { migrate, pendingMigrations } from "../database/migrate.ts";
import type { Tables } from "../database/tables.ts";

const START_FIRST = "run `signet serve` first: its first start makes the instance";

/** The database that the configuration names, open. */
export interface OpenDatabase {
  readonly db: Kysely<Tables>;
  readonly address: Address;
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
  const lock = tryLock(config);
  if (lock === undefined) {
    const holder = lockHolder(config.dataDir);
    const other = holder === undefined ? "another Signet" : `another Signet, process ${holder},`;
    throw new ConfigError(`DATA_DIR is "${config.dataDir}": ${other} uses it; stop that one, or choose another folder`);
  }
  return openEmbedded(config, lock, onIdleError);
}

/**
 * Opens the database for a command, beside a server that may be running: the embedded one is reached by its socket
 * then, and started for the time of the command otherwise.
 *
 * @throws ConfigError when there is no instance yet, or when the tables are not up to date.
 */
export async function openForCommand(config: Config): Promise<OpenDatabase> {
  // Nothing is made where nothing is: the folder may be another than the one that was meant.
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

/** As `openForCommand`, whatever the state of the tables. */
export async function openBesideServer(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openPostgres(config, 1, ignore);
  const lock = tryLock(config);
  if (lock !== undefined) return openEmbedded(config, lock, ignore);
  const address = { socketDir: embeddedAddress(config.dataDir) };
  const db = connect(address, 1, ignore);
  return { db, address, died: never(), close: () => db.destroy() };
}

/**
 * Brings the tables up to date over a connection without time limits: a migration may take long, and so may the wait for
 * that of another process.
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

/** @returns undefined while another process has the folder. */
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
  const db = connect(address, poolSize, onIdleError);
  return { db, address, died: never(), close: () => db.destroy() };
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
    throw unusable(config.dataDir, error);
  }
  const address = { socketDir: embedded.socketDir };
  const db = connect(address, config.databasePoolSize, onIdleError);
  return {
    db,
    address,
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
