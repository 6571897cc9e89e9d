import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { json } from "./options.ts";

/** Adds `signet idp …`. */
export function addIdpCommand(program: Command, configuration: () => Config): void {
  const idp = program.command("idp").description("inspect identity providers");
  idp
    .command("list")
    .description("list all identity providers")
    .addOption(json())
    .action(async ({ json }) => (await import("../idp.ts")).listIdpsCommand(configuration(), { json }));
  idp
    .command("show")
    .description("show one identity provider, without its client secret, and the callback URL to register there")
    .argument("<id>", "id of the identity provider, as shown by `idp list`")
    .addOption(json())
    .action(async (id, { json }) => (await import("../idp.ts")).showIdpCommand(configuration(), { id, json }));
  idp
    .command("check")
    .description("load the metadata and keys of an identity provider, and report problems")
    .argument("<id>", "id of the identity provider, as shown by `idp list`")
    .addOption(json())
    .action(async (id, { json }) => (await import("../idp.ts")).checkIdpCommand(configuration(), { id, json }));
}
