import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { withDatabase } from "../server/open-database.ts";

/** A command that works on the configured database itself. */
export function databaseCommand<Options>(run: (db: Database, options: Options, config: Config) => Promise<void>) {
  return async (config: Config, options: Options): Promise<void> =>
    await withDatabase(config, (db) => run(db, options, config));
}
