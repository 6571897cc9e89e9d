import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { usesDatabase } from "./options.ts";

export function defineAdminCommands(program: Command, configuration: () => Config): void {
  const link = program
    .command("admin")
    .description("create the first administrator")
    .command("link")
    .description("print a link that creates the first administrator");
  usesDatabase(link, configuration, async () => (await import("../admin.ts")).adminLinkCommand);
}
