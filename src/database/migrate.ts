import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { ConfigError } from "../config.ts";
import { isConflict, isLockTimeout } from "./failure.ts";
import { tables } from "./migrations/0082-tables.ts";
import { scimConnections } from "./migrations/0083-scim-connections.ts";
import { unregisteredClients } from "./migrations/0084-unregistered-clients.ts";
import { scimRequests } from "./migrations/0085-scim-requests.ts";
import { scimTrials } from "./migrations/0086-scim-trials.ts";
import { registrations } from "./migrations/0087-registrations.ts";
import { namePartitionIndexes } from "./partition.ts";
import { MIGRATION_LOCK } from "./signet-dialect.ts";
import type { Tables } from "./tables.ts";

type Migrations = Readonly<Record<string, Migration>>;

export const FIRST_MIGRATION = "0082-tables";

export const MIGRATIONS: Migrations = {
  [FIRST_MIGRATION]: tables,
  "0083-scim-connections": scimConnections,
  "0084-unregistered-clients": unregisteredClients,
  "0085-scim-requests": scimRequests,
  "0086-scim-trials": scimTrials,
  "0087-registrations": registrations,
};

/** The last migration of earlier versions. A database that has it has what the first migration creates. */
const LAST_REPLACED = "0081-optional-pkce";

/**
 * The suffix of the name of a migration that removes something used by earlier versions: `-requires-` and the number of
 * the oldest migration that a version must have.
 */
const REQUIRES = /-requires-(\d{4})$/;

/**
 * Statements queue behind a migration that waits for a lock, so it waits for less time than their limit. After this
 * many attempts, another transaction, such as a backup, has held the lock for minutes.
 */
const LOCK_TIMEOUT = "3s";
const MAX_ATTEMPTS = 20;
const PAUSE_MS = 1_000;

/**
 * Runs the pending migrations in one transaction, while other processes serve calls. Several processes may call it: an
 * advisory lock serializes them.
 *
 * Accepts migrations run by a newer version; see `acceptNewerMigrations`.
 *
 * @param migrations Tests add their own.
 * @returns The names of the migrations that this call ran.
 * @throws The error of the failed migration; the transaction is rolled back. ConfigError like `acceptNewerMigrations`.
 */
export async function migrate(db: Kysely<Tables>, migrations = MIGRATIONS): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      // The changes that another process made before releasing the lock must be visible.
      return await db
        .transaction()
        .setIsolationLevel("read committed")
        .execute((transaction) => runPending(transaction, migrations));
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(isConflict(error) || isLockTimeout(error))) throw error;
      await delay(PAUSE_MS);
    }
  }
}

async function runPending(transaction: Kysely<Tables>, migrations: Migrations): Promise<string[]> {
  // The role may have time limits.
  await sql`
    select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
      set_config('lock_timeout', '0', true)`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
  await acceptNewerMigrations(transaction);
  if ((await pendingMigrations(transaction, migrations)).length === 0) return [];
  await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(transaction);
  await throwIfReadOnly(transaction);
  const { error, results } = await createMigrator(transaction, migrations).migrateToLatest();
  if (error !== undefined) throw error;
  await namePartitionIndexes(transaction);
  return (results ?? []).map(({ migrationName }) => migrationName);
}

/** Kysely would report the error of a later statement, that the transaction is aborted (SQLSTATE 25P02). */
async function throwIfReadOnly(transaction: Kysely<Tables>): Promise<void> {
  await sql`
    do $$ begin
      if current_setting('transaction_read_only')::boolean then raise read_only_sql_transaction; end if;
    end $$`.execute(transaction);
}

/** Kysely's migrator. Migrations of earlier versions do nothing, and neither does the first one after them. */
function createMigrator(db: Kysely<Tables>, migrations: Migrations): Migrator {
  const getMigrations = async () => {
    const replaced = (await executedMigrations(db)).filter(isReplaced);
    const names = replaced.length > 0 ? [...replaced, FIRST_MIGRATION] : [];
    return { ...migrations, ...Object.fromEntries(names.map((name) => [name, { up: async () => {} }])) };
  };
  return new Migrator({ db, provider: { getMigrations } });
}

function isReplaced(name: string): boolean {
  return name < FIRST_MIGRATION;
}

/** Returns the names of the migrations that have not run yet. */
export async function pendingMigrations(db: Kysely<Tables>, migrations = MIGRATIONS): Promise<string[]> {
  const executed = await executedMigrations(db);
  const names = executed.some(isReplaced) ? [...executed, FIRST_MIGRATION] : executed;
  return Object.keys(migrations).filter((name) => !names.includes(name));
}

/** Returns the names of the migrations that have run, including those of newer versions. */
async function executedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (found[0]?.exists !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Returns the name of the latest migration that has run. */
export async function lastMigration(db: Kysely<Tables>): Promise<string> {
  return (await executedMigrations(db)).at(-1) ?? "";
}

/** Returns the names of the migrations run by a newer version, which normally only adds to the tables. */
export async function newerMigrations(db: Kysely<Tables>): Promise<string[]> {
  return (await executedMigrations(db)).filter((name) => !isReplaced(name) && !(name in MIGRATIONS));
}

/**
 * Returns the same names if this version can use the tables.
 *
 * @throws ConfigError if one of them requires a migration that this version does not contain, or if the database belongs
 *   to a version that is too old.
 */
export async function acceptNewerMigrations(db: Kysely<Tables>): Promise<string[]> {
  const last = await lastMigration(db);
  if (isReplaced(last) && last !== "" && last !== LAST_REPLACED) {
    throw new ConfigError(
      `the database has the migrations up to ${last}: expected ${LAST_REPLACED} or a later one; an earlier version of Signet runs them (docs/operate.md#migrations)`,
    );
  }
  const newer = await newerMigrations(db);
  const latest = Object.keys(MIGRATIONS).at(-1)?.slice(0, 4) ?? "";
  const incompatible = newer.find((name) => (REQUIRES.exec(name)?.[1] ?? "") > latest);
  if (incompatible !== undefined) {
    throw new ConfigError(
      `the database has the migration ${incompatible} of a newer version of Signet, whose tables this version cannot use`,
    );
  }
  return newer;
}
