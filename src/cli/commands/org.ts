import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { callsApi, yes } from "./options.ts";

const ORG = "id or name of the organization";

export function defineOrgCommands(program: Command, configuration: () => Config): void {
  const org = program.command("org").description("manage organizations");
  const create = org
    .command("create")
    .description("create an organization")
    .argument("<name>", "name of the organization, unique ignoring case");
  callsApi(create, configuration, async () => (await import("../org.ts")).createOrgCommand);
  const list = org.command("list").description("list all organizations");
  callsApi(list, configuration, async () => (await import("../org.ts")).listOrgsCommand);
  const rename = org
    .command("rename")
    .description("rename an organization")
    .argument("<org>", ORG)
    .argument("<name>", "new name of the organization, unique ignoring case");
  callsApi(rename, configuration, async () => (await import("../org.ts")).renameOrgCommand);
  const remove = org
    .command("remove")
    .description("remove an organization with its users, applications and all of its data; this cannot be undone")
    .argument("<org>", ORG)
    .addOption(yes());
  callsApi(remove, configuration, async () => (await import("../remove-org.ts")).removeOrgCommand);
}
