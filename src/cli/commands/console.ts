import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { json } from "./options.ts";

export function defineConsoleCommands(program: Command, configuration: () => Config): void {
  const group = program.command("console").description("allow or forbid sign-ins to the console at /console");
  group
    .command("disable")
    .description("let nobody sign in to the console, and end all of its sign-ins")
    .addOption(json())
    .action(async (options) => (await import("../console.ts")).disableConsoleCommand(configuration(), options));
  group
    .command("enable")
    .description("let people with a role sign in to the console")
    .addOption(json())
    .action(async (options) => (await import("../console.ts")).enableConsoleCommand(configuration(), options));
}
