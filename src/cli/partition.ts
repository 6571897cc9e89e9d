import { type Config, ConfigError } from "../config.ts";
import { connect } from "../database/connection.ts";
import { pendingMigrations } from "../database/migrate.ts";
import { countOtherSessions, countPartitions, partitionTables } from "../database/partition.ts";
import { print } from "./print.ts";

/**
 * `signet database partition`: partitions the organization tables.
 *
 * @throws ConfigError if the database is the embedded one, has pending migrations, is in use, or already has
 *   partitions.
 */
export async function partitionCommand(
  { databaseUrl: url }: Config,
  { partitions, json }: { readonly partitions: number; readonly json: boolean },
): Promise<void> {
  if (url === undefined) throw new ConfigError("DATABASE_URL is not set: the embedded database cannot be partitioned");
  const db = connect({ url }, 1, () => {}, { timeLimits: false });
  try {
    const pending = await pendingMigrations(db);
    if (pending.length > 0) throw new ConfigError("the database has pending migrations; run `signet migrate` first");
    const existing = await countPartitions(db);
    if (existing > 0) throw new ConfigError(`the tables are partitioned already: each has ${existing} partitions`);
    const others = await countOtherSessions(db);
    if (others > 0) throw new ConfigError(`Signet is connected to the database (${others} sessions); stop it first`);
    await partitionTables(db, partitions);
    print(json, { partitions }, [`each table of organizations has ${partitions} partitions`]);
  } finally {
    await db.destroy();
  }
}
