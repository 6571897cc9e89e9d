import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { apiOrg, callsApi, integerFrom, oneOf, serverOrg, yes } from "./options.ts";

export function defineScimCommands(program: Command, configuration: () => Config): void {
  const scim = program.command("scim").description("manage SCIM connections, with which directories send their users");
  const list = scim
    .command("list")
    .description("list SCIM connections, without their tokens")
    .option(
      "--org <org>",
      "id or name of the organization (default: on a server, that of the token; otherwise, all organizations)",
    );
  callsApi(list, configuration, async () => (await import("../scim.ts")).listScimCommand);
  defineAdd(scim, configuration);
  defineUpdate(scim, configuration);
  const rotate = scim
    .command("rotate")
    .description("replace the token, and print the new one; the previous one is accepted for another 24 hours")
    .argument("<connection>", ID)
    .addOption(serverOrg());
  callsApi(rotate, configuration, async () => (await import("../scim.ts")).rotateScimCommand, "id");
  const remove = scim
    .command("remove")
    .description("remove a SCIM connection; its tokens end at once, and its users are kept")
    .argument("<connection>", ID)
    .addOption(serverOrg())
    .addOption(yes());
  callsApi(remove, configuration, async () => (await import("../scim.ts")).removeScimCommand, "id");
  const requests = scim
    .command("requests")
    .description("list the latest requests of a directory, and what they changed")
    .argument("<connection>", ID)
    .option("--failed", "list only requests that failed", false)
    .option("--limit <number>", "maximum number of requests", integerFrom(1, 1_000), 100)
    .addOption(serverOrg());
  callsApi(requests, configuration, async () => (await import("../scim.ts")).listScimRequestsCommand, "id");
}

const ID = "id of the connection, as shown by `scim list`";

function defineAdd(scim: Command, configuration: () => Config): void {
  const add = scim
    .command("add")
    .description("add a SCIM connection, and print what to enter in the directory; the token is shown only once")
    .argument("<name>", "name of the connection, such as that of the directory");
  addSettings(add).option("--trial", "store nothing, and only log what would happen", false).addOption(apiOrg());
  callsApi(add, configuration, async () => (await import("../scim.ts")).addScimCommand);
}

function defineUpdate(scim: Command, configuration: () => Config): void {
  const update = scim
    .command("update")
    .description("change the given settings of a SCIM connection")
    .argument("<connection>", ID)
    .option("--name <name>", "name of the connection");
  addSettings(update)
    .option("--trial", "store nothing, and only log what would happen")
    .option("--no-trial", "end the trial: requests change users from now on")
    .addOption(serverOrg());
  callsApi(update, configuration, async () => (await import("../scim.ts")).updateScimCommand, "id");
}

/** The settings that `add` and `update` share. A new connection has the default of those that are not given; others keep them. */
function addSettings(command: Command): Command {
  return command
    .option("--idp <id>", "identity provider that users are linked to, as shown by `idp list`")
    .option(
      "--link-attribute <attribute>",
      "attribute with the id of a user at the provider: externalId, userName or the path of another one, such as title (default of a new connection: externalId)",
    )
    .addOption(
      oneOf(
        "--addresses <rule>",
        "users whose address no verified domain covers: send the usual messages, none, or reject them (default of a new connection: invite)",
        ["invite", "silent", "reject"],
      ),
    )
    .option("--group-app <client-id>", "application whose roles new groups become (default: new groups are rejected)");
}
