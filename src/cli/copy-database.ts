import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { postgresUrl } from "../config/schemas.ts";
import { type Config, ConfigError } from "../config.ts";
import { connect } from "../database/connection.ts";
import { type CopyProgress, copyDatabase } from "../database/copy/copy-database.ts";
import { inspectTarget } from "../database/copy/inspect-target.ts";
import { readSchema } from "../database/copy/read-schema.ts";
import type { Database } from "../database/database.ts";
import { MIGRATIONS, migrate, newerMigrations, pendingMigrations } from "../database/migrate.ts";
import { describeFailure } from "../server/describe-failure.ts";
import { openForServer, throwIfNotSetUp } from "../server/open-database.ts";
import { checkCopiedKeys, type NeededKeys } from "./check-copied-keys.ts";
import { print } from "./print.ts";

interface CopyOptions {
  /** URL of the target; undefined for DATABASE_URL. */
  readonly to: string | undefined;
  readonly json: boolean;
}

/**
 * `signet database copy`: copies the embedded database in DATA_DIR to an empty PostgreSQL database. Locks DATA_DIR, so
 * that no server can change the database during the copy. The source is never a PostgreSQL database: servers that use
 * one cannot be detected reliably, and `pg_dump` does it better.
 */
export async function copyDatabaseCommand(config: Config, { to, json }: CopyOptions): Promise<void> {
  const since = performance.now();
  const target = await openTarget(readTarget(config, to));
  try {
    await withSource(config, async (source) => {
      const keys = await checkCopiedKeys(config, source);
      const copied = await copy(source, target, createProgress(json ? undefined : process.stderr));
      const { instanceId, tables, wasComplete } = copied;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const seconds = Math.round(performance.now() - since) / 1_000;
      const done = wasComplete
        ? `the target database already contains the ${rows} rows of all ${tables.length} tables`
        : `copied ${rows} rows of ${tables.length} tables in ${seconds} s`;
      print(json, { instanceId, rows, tables, wasComplete, masterKeyIds: keys.keyIds, masterKeyFile: keys.file }, [
        `${done}; number and checksum of the rows are equal in each table`,
        describeKeys(keys),
        `next: start the service with DATABASE_URL and the same PUBLIC_URL; do not start it on "${config.dataDir}" again, because it would send the same messages`,
      ]);
    });
  } finally {
    await target.destroy();
  }
}

async function copy(source: Database, target: Database, onProgress: (progress: CopyProgress) => void) {
  const { id } = await source.selectFrom("instance").select("id").executeTakeFirstOrThrow();
  const tables = await readSchema(source);
  try {
    if ((await inspectTarget(target, tables, id)) === "empty") await migrate(target);
    return { instanceId: id, ...(await copyDatabase(source, target, { onProgress })) };
  } catch (error) {
    const description = describeFailure(error, "the target database");
    throw description === undefined ? error : new ConfigError(description);
  }
}

function readTarget({ databaseUrl }: Config, to: string | undefined): string {
  const url = to ?? databaseUrl;
  const expected = "expected a URL that starts with postgres:// or postgresql://";
  if (url === undefined) throw new ConfigError(`neither --to nor DATABASE_URL is set: ${expected}`);
  if (!postgresUrl().safeParse(url).success) throw new ConfigError(`--to is invalid: ${expected}`);
  return url;
}

function describeKeys({ keyIds, file }: NeededKeys): string {
  const ids = `${keyIds.length === 1 ? "id" : "ids"} ${keyIds.join(", ")}`;
  if (file === undefined) {
    return `master key: the service needs the same MASTER_KEY and MASTER_KEY_PREVIOUS as this command (${ids})`;
  }
  const previous = keyIds.length === 1 ? "" : ", and the same MASTER_KEY_PREVIOUS as this command";
  return `master key: the service needs a copy of "${file}" as its MASTER_KEY_FILE${previous} (${ids})`;
}

/** Opens the embedded database. No other process may use it during the copy. */
async function withSource<T>(config: Config, use: (db: Database) => Promise<T>): Promise<T> {
  if (!existsSync(join(config.dataDir, "db"))) {
    throw new ConfigError(`DATA_DIR is invalid: expected a folder with a database, got "${config.dataDir}"`);
  }
  const { address, db, close } = await openForServer({ ...config, databaseUrl: undefined }, ignore);
  const unlimited = connect(address, 1, ignore, { timeLimits: false });
  try {
    const newer = await newerMigrations(db);
    if (newer.length > 0) {
      throw new ConfigError(`the database in DATA_DIR was migrated by a newer version of Signet (${newer.join(", ")})`);
    }
    const pending = await pendingMigrations(db);
    if (pending.length > 0 && pending.length < Object.keys(MIGRATIONS).length) {
      throw new ConfigError(
        "the database in DATA_DIR has pending migrations; run `signet migrate` without DATABASE_URL first",
      );
    }
    await throwIfNotSetUp(db);
    return await use(unlimited);
  } finally {
    await unlimited.destroy();
    await close();
  }
}

/** @throws ConfigError if the database cannot be reached, used, or trusted. */
async function openTarget(url: string): Promise<Database> {
  let target: Database | undefined;
  try {
    target = connect({ url }, 1, ignore, { timeLimits: false });
    await sql`select 1`.execute(target);
    return target;
  } catch (error) {
    await target?.destroy();
    const description = describeFailure(error, "the target database");
    if (description === undefined) throw error;
    throw new ConfigError(description.replace(/^DATABASE_URL is invalid/, "the URL of the target database is invalid"));
  }
}

function ignore(): void {}

const PROGRESS_PAUSE_MS = 5_000;

/** Prints a line for each completed table, and at most one every 5 s for the current table. */
function createProgress(out: { write(text: string): unknown } | undefined): (progress: CopyProgress) => void {
  let last = performance.now();
  return ({ table, rows, total }) => {
    if (rows < total && performance.now() - last < PROGRESS_PAUSE_MS) return;
    last = performance.now();
    out?.write(`${table}: ${rows} of ${total} rows\n`);
  };
}
