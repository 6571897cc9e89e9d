import type { Kysely } from "kysely";
import { executedMigrations, MIGRATIONS } from "./migrate.ts";
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
  const executed = await executedMigrations(db);
  const known = Object.keys(MIGRATIONS);
  return {
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  };
}
