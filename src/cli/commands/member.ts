import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { ROLES } from "../../roles.ts";
import { endCredentials, json, userOrg } from "./options.ts";

export function defineMemberCommands(program: Command, configuration: () => Config): void {
  const member = program.command("member").description("manage the roles of users, human or machine");
  member
    .command("add")
    .description("grant a role to a user, in addition to existing roles")
    .argument("<user>", "id of the user, or user name")
    .addOption(userOrg())
    .addOption(new Option("--role <role>", "role to grant").choices(Object.keys(ROLES)).makeOptionMandatory())
    .option(
      "--in <org>",
      "id or name of the organization in which to grant an ORG_ role (default: the user's organization)",
    )
    .addOption(endCredentials())
    .addOption(json())
    .action(async (user, options) =>
      (await import("../member.ts")).addMemberCommand(configuration(), { user, ...options }),
    );
  member
    .command("list")
    .description("list the users who have roles, with each role")
    .option("--in <org>", "list only roles in this organization, by its id or name")
    .addOption(json())
    .action(async (options) => (await import("../member.ts")).listMembersCommand(configuration(), options));
  member
    .command("remove")
    .description("revoke a role of a user, or all roles in an organization")
    .argument("<user>", "id of the user, or user name")
    .addOption(userOrg())
    .addOption(
      new Option("--role <role>", "role to revoke (default: all roles in the organization)").choices(
        Object.keys(ROLES),
      ),
    )
    .option("--in <org>", "id or name of the organization in which the roles apply (default: the user's organization)")
    .addOption(json())
    .action(async (user, options) =>
      (await import("../member.ts")).removeMemberCommand(configuration(), { user, ...options }),
    );
}
