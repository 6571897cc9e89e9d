import type { Command } from "commander";
import type { Config } from "../config.ts";

/** Adds `signet database …`. The code of the commands is loaded on demand. */
export function addDatabaseCommand(program: Command, configuration: () => Config): void {
  program
    .command("database")
    .description("move the service to another database")
    .command("copy")
    .description(
      "copy the embedded database in DATA_DIR, whose server must be stopped, to an empty PostgreSQL database",
    )
    .option(
      "--to <url>",
      "URL of the PostgreSQL database; other users of the machine can see it (default: DATABASE_URL)",
    )
    .option("--json", "print JSON", false)
    .action(async (options) => (await import("./copy-database.ts")).copyDatabaseCommand(configuration(), options));
}
