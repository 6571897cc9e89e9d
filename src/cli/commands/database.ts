import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { integerFrom, usesDatabase } from "./options.ts";

/** With more, the transaction that creates them would need more locks than PostgreSQL allows by default. */
const MOST_PARTITIONS = 128;

export function defineDatabaseCommands(program: Command, configuration: () => Config): void {
  const database = program.command("database").description("copy the database to PostgreSQL, or partition its tables");
  const copy = database
    .command("copy")
    .description("copy the embedded database in DATA_DIR to an empty PostgreSQL database; stop its server first")
    .option(
      "--to <url>",
      "URL of the PostgreSQL database; other users of the machine can see it (default: DATABASE_URL)",
    );
  usesDatabase(copy, configuration, async () => (await import("../copy-database.ts")).copyDatabaseCommand);
  const partition = database
    .command("partition")
    .description("partition the tables of organizations in a PostgreSQL database; stop its servers first")
    .requiredOption("--partitions <number>", "number of partitions of each table", integerFrom(2, MOST_PARTITIONS));
  usesDatabase(partition, configuration, async () => (await import("../partition.ts")).partitionCommand);
}
