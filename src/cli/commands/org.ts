import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { json } from "./options.ts";

/** Adds `signet org …`. */
export function addOrgCommand(program: Command, configuration: () => Config): void {
  const org = program.command("org").description("manage organizations");
  org
    .command("create")
    .description("create an organization")
    .argument("<name>", "name of the organization, unique ignoring case")
    .addOption(json())
    .action(async (name, { json }) => (await import("../org.ts")).createOrgCommand(configuration(), { name, json }));
  org
    .command("list")
    .description("list all organizations")
    .addOption(json())
    .action(async ({ json }) => (await import("../org.ts")).listOrgsCommand(configuration(), { json }));
}
