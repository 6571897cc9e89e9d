import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { ROLES } from "../../roles.ts";
import { endCredentials, integerFrom, oneOf, usesDatabase } from "./options.ts";

export function defineTokenCommands(program: Command, configuration: () => Config): void {
  const token = program.command("token").description("manage personal access tokens of machine users");
  const create = token
    .command("create")
    .description("create a token for a new or existing machine user; the token is shown only once")
    .argument("<user>", "name of the machine user, which is created if it does not exist")
    .option("--org <org>", "id or name of the user's organization", "default")
    .addOption(oneOf("--role <role>", "role to grant to the user", Object.keys(ROLES)))
    .option(
      "--in <org>",
      "id or name of the organization in which to grant an ORG_ role (default: the user's organization)",
    )
    .option("--existing-user", "grant the role also to a user who exists and does not have it", false)
    .addOption(endCredentials())
    .option("--days <days>", "number of days until the token expires (default: never)", integerFrom(1, 36_500));
  usesDatabase(create, configuration, async () => (await import("../token.ts")).createTokenCommand);
  const list = token.command("list").description("list all tokens, without their secrets");
  usesDatabase(list, configuration, async () => (await import("../token.ts")).listTokensCommand);
  const revoke = token
    .command("revoke")
    .description("revoke a token, effective with the next call")
    .argument("<id>", "id of the token, as shown by `token list`");
  usesDatabase(revoke, configuration, async () => (await import("../token.ts")).revokeTokenCommand);
}
