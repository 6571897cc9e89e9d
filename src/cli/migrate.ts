import type { Config } from "../config.ts";
import { migrate } from "../database/migrate.ts";
import { openBesideServer } from "./open-database.ts";
import { print } from "./print.ts";

/** `signet migrate`: prints the migrations that it ran. */
export async function migrateCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  const { db, close } = await openBesideServer(config);
  try {
    const ran = await migrate(db);
    print(json, { ran }, ran.length > 0 ? ran : ["nothing to do"]);
  } finally {
    await close();
  }
}
