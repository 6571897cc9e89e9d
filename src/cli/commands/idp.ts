import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { defineIdpAdd } from "./idp-add.ts";
import { json } from "./options.ts";

/** Defines `signet idp …`. */
export function defineIdpCommands(program: Command, configuration: () => Config): void {
  const idp = program.command("idp").description("inspect and change identity providers");
  idp
    .command("list")
    .description("list all identity providers")
    .addOption(json())
    .action(async ({ json }) => (await import("../idp.ts")).listIdpsCommand(configuration(), { json }));
  defineIdpAdd(idp, configuration);
  idp
    .command("show")
    .description("show one identity provider, without its client secret, and the URLs to register there")
    .argument("<id>", "id of the identity provider, as shown by `idp list`")
    .addOption(json())
    .action(async (id, { json }) => (await import("../idp.ts")).showIdpCommand(configuration(), { id, json }));
  idp
    .command("update")
    .description("change the given settings of an identity provider")
    .argument("<id>", "id of the identity provider, as shown by `idp list`")
    .option("--federated-logout", "sign-outs continue at the provider")
    .option("--no-federated-logout", "sign-outs do not continue at the provider")
    .addOption(json())
    .action(async (id, options) => (await import("../idp.ts")).updateIdpCommand(configuration(), { id, ...options }));
  idp
    .command("check")
    .alias("test")
    .description("load the metadata and keys of an identity provider, and report what they say, and problems")
    .argument("<id>", "id of the identity provider, as shown by `idp list`")
    .addOption(json())
    .action(async (id, { json }) => (await import("../idp.ts")).checkIdpCommand(configuration(), { id, json }));
}
