import type { Config } from "../config.ts";
import { migrateDatabase, openBesideServer } from "../server/open-database.ts";
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
