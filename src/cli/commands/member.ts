import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { ROLES } from "../../roles.ts";
import { endCredentials, oneOf, userOrg, usesDatabase } from "./options.ts";

export function defineMemberCommands(program: Command, configuration: () => Config): void {
  const member = program.command("member").description("manage the roles of users, human or machine");
  const add = member
    .command("add")
    .description("grant a role to a user, in addition to existing roles")
    .argument("<user>", "id of the user, or user name")
    .addOption(userOrg())
    .addOption(oneOf("--role <role>", "role to grant", Object.keys(ROLES)).makeOptionMandatory())
    .option(
      "--in <org>",
      "id or name of the organization in which to grant an ORG_ role (default: the user's organization)",
    )
    .addOption(endCredentials());
  usesDatabase(add, configuration, async () => (await import("../member.ts")).addMemberCommand);
  const list = member
    .command("list")
    .description("list the users who have roles, with each role")
    .option("--in <org>", "list only roles in this organization, by its id or name");
  usesDatabase(list, configuration, async () => (await import("../member.ts")).listMembersCommand);
  const remove = member
    .command("remove")
    .description("revoke a role of a user, or all roles in an organization")
    .argument("<user>", "id of the user, or user name")
    .addOption(userOrg())
    .addOption(oneOf("--role <role>", "role to revoke (default: all roles in the organization)", Object.keys(ROLES)))
    .option("--in <org>", "id or name of the organization in which the roles apply (default: the user's organization)");
  usesDatabase(remove, configuration, async () => (await import("../member.ts")).removeMemberCommand);
}
