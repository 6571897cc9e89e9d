import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { usesDatabase } from "./options.ts";

export function defineConsoleCommands(program: Command, configuration: () => Config): void {
  const group = program.command("console").description("allow or forbid sign-ins to the console at /console");
  const disable = group
    .command("disable")
    .description("let nobody sign in to the console, and end all of its sign-ins");
  usesDatabase(disable, configuration, async () => (await import("../console.ts")).disableConsoleCommand);
  const enable = group.command("enable").description("let people with a role sign in to the console");
  usesDatabase(enable, configuration, async () => (await import("../console.ts")).enableConsoleCommand);
}
