import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { json } from "./options.ts";

export function defineAdminCommands(program: Command, configuration: () => Config): void {
  program
    .command("admin")
    .description("create the first administrator")
    .command("link")
    .description("print a link that creates the first administrator")
    .addOption(json())
    .action(async (options) => (await import("../admin.ts")).adminLinkCommand(configuration(), options));
}
