import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { defineIdpAdd } from "./idp-add.ts";
import { callsApi } from "./options.ts";

export function defineIdpCommands(program: Command, configuration: () => Config): void {
  const idp = program.command("idp").description("inspect and change identity providers");
  const list = idp
    .command("list")
    .description("list all identity providers; on a server, those of the instance or of one organization")
    .addOption(ownerOrg());
  callsApi(list, configuration, async () => (await import("../idp.ts")).listIdpsCommand);
  defineIdpAdd(idp, configuration);
  const show = idp
    .command("show")
    .description("show one identity provider, without its client secret, and the URLs to register there")
    .argument("<id>", ID)
    .addOption(ownerOrg());
  callsApi(show, configuration, async () => (await import("../idp.ts")).showIdpCommand);
  const update = idp
    .command("update")
    .description("change the given settings of an identity provider")
    .argument("<id>", ID)
    .option("--federated-logout", "sign-outs continue at the provider")
    .option("--no-federated-logout", "sign-outs do not continue at the provider")
    .addOption(ownerOrg());
  callsApi(update, configuration, async () => (await import("../idp.ts")).updateIdpCommand);
  const check = idp
    .command("check")
    .alias("test")
    .description("load the metadata and keys of an identity provider, and report what they say, and problems")
    .argument("<id>", ID)
    .addOption(ownerOrg());
  callsApi(check, configuration, async () => (await import("../idp.ts")).checkIdpCommand);
}

const ID = "id of the identity provider, as shown by `idp list`";

/** The owner of the providers that a command reaches on a server. On the database, an id suffices. */
function ownerOrg(): Option {
  return new Option("--org <org>", "on a server: id or name of the organization that owns it (default: the instance)");
}
