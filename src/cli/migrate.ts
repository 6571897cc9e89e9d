import type { Config } from "../config.ts";
import { newerMigrations, pendingMigrations } from "../database/migrate.ts";
import { migrateDatabase, openBesideServer, throwIfNoDatabase } from "../server/open-database.ts";
import { print } from "./print.ts";

/** `signet migrate`: prints the names of the migrations that it ran. */
export async function migrateCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  const database = await openBesideServer(config);
  try {
    const ran = await migrateDatabase(database);
    print(json, { ran }, ran.length > 0 ? ran : ["no pending migrations"]);
  } finally {
    await database.close();
  }
}

/**
 * `signet migrate --check`: prints pending migrations, and migrations unknown to this version.
 *
 * @returns The exit code: 0 if there are none, 1 if migrations are pending, 2 if there are unknown ones.
 */
export async function checkMigrationsCommand(config: Config, { json }: { json: boolean }): Promise<0 | 1 | 2> {
  throwIfNoDatabase(config);
  const { db, close } = await openBesideServer(config);
  try {
    const [pending, unknown] = [await pendingMigrations(db), await newerMigrations(db)];
    const lines = [...pending.map((name) => `pending: ${name}`), ...unknown.map((name) => `unknown: ${name}`)];
    print(json, { pending, unknown }, lines.length > 0 ? lines : ["no pending migrations"]);
    if (unknown.length > 0) return 2;
    return pending.length > 0 ? 1 : 0;
  } finally {
    await close();
  }
}
