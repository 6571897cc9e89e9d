import { type Kysely, sql } from "kysely";
import { MIGRATIONS } from "./migrate.ts";
import type { Tables } from "./tables.ts";

/** How the tables differ from those of this version; both lists are empty if they do not. */
export interface MigrationState {
  /** Migrations that have not run yet. */
  readonly pending: readonly string[];
  /** Migrations that have run, and that this version does not contain. */
  readonly unknown: readonly string[];
}

/** Compares the migrations that have run with those of this version. Changes nothing. */
export async function checkMigrations(db: Kysely<Tables>): Promise<MigrationState> {
  const ran = await readMigrations(db);
  const known = Object.keys(MIGRATIONS);
  return {
    pending: known.filter((name) => !ran.includes(name)),
    unknown: ran.filter((name) => !known.includes(name)),
  };
}

async function readMigrations(db: Kysely<Tables>): Promise<string[]> {
  const found = sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`;
  if (!(await found.execute(db)).rows[0]?.exists) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
