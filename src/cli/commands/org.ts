import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { withServer, yes } from "./options.ts";

const ORG = "id or name of the organization";

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
  const rename = org
    .command("rename")
    .description("rename an organization")
    .argument("<org>", ORG)
    .argument("<name>", "new name of the organization, unique ignoring case");
  withServer(rename).action(async (org, name, options) =>
    (await import("../org.ts")).renameOrgCommand(configuration, { org, name, ...options }),
  );
  const remove = org
    .command("remove")
    .description("remove an organization with its users, applications and all of its data; this cannot be undone")
    .argument("<org>", ORG)
    .addOption(yes());
  withServer(remove).action(async (org, options) =>
    (await import("../remove-org.ts")).removeOrgCommand(configuration, { org, ...options }),
  );
}
