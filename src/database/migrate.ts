import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { firstTables } from "./migrations/0001-first-tables.ts";
import { delivery } from "./migrations/0002-delivery.ts";
import { states } from "./migrations/0003-states.ts";
import { userSearch } from "./migrations/0004-user-search.ts";
import { userChanges } from "./migrations/0005-user-changes.ts";
import { credentials } from "./migrations/0006-credentials.ts";
import { signIn } from "./migrations/0007-sign-in.ts";
import { idpsAndMembers } from "./migrations/0008-idps-and-members.ts";
import { externalSignIn } from "./migrations/0009-external-sign-in.ts";
import { secondFactors } from "./migrations/0010-second-factors.ts";
import type { Tables } from "./tables.ts";

const MIGRATIONS = {
  "0001-first-tables": firstTables,
  "0002-delivery": delivery,
  "0003-states": states,
  "0004-user-search": userSearch,
  "0005-user-changes": userChanges,
  "0006-credentials": credentials,
  "0007-sign-in": signIn,
  "0008-idps-and-members": idpsAndMembers,
  "0009-external-sign-in": externalSignIn,
  "0010-second-factors": secondFactors,
};

/**
 * Runs the pending migrations. Safe to call from several processes: an advisory lock serializes them.
 *
 * @returns The names of the migrations that this call ran.
 * @throws The error of the migration that failed; its transaction is rolled back.
 */
export async function migrate(db: Kysely<Tables>): Promise<string[]> {
  const { error, results } = await createMigrator(db).migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}

/** Returns the names of the migrations that have not run yet. */
export async function pendingMigrations(db: Kysely<Tables>): Promise<string[]> {
  const migrations = await createMigrator(db).getMigrations();
  return migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Returns the names of the migrations that a newer version has run. */
export async function newerMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (found[0]?.exists !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !(name in MIGRATIONS));
}

function createMigrator(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
}
