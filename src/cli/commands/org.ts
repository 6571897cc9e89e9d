import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { withServer } from "./options.ts";

/** Defines `signet org …`. */
export function defineOrgCommands(program: Command, configuration: () => Config): void {
  const org = program.command("org").description("manage organizations");
  const create = org
    .command("create")
    .description("create an organization")
    .argument("<name>", "name of the organization, unique ignoring case");
  withServer(create).action(async (name, options) =>
    (await import("../org.ts")).createOrgCommand(configuration, { name, ...options }),
  );
  const list = org.command("list").description("list all organizations");
  withServer(list).action(async (options) => (await import("../org.ts")).listOrgsCommand(configuration, options));
}
