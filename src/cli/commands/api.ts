import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { apiOrg, callsApi, yes } from "./options.ts";

const ID = "id of the API, as shown by `api list`";

export function defineApiCommands(program: Command, configuration: () => Config): void {
  const api = program.command("api").description("manage the APIs that applications get access tokens for");
  const add = api
    .command("add")
    .description("add an API, and print its id")
    .argument("<name>", "name of the API")
    .requiredOption("--identifier <uri>", "parameter `resource` of requests, and `aud` of tokens; it cannot be changed")
    .option("--scope <scope...>", "scope that tokens can have", [])
    .option("--introspector <client-id...>", "application that may introspect tokens", [])
    .option("--unregistered-clients", "give tokens to clients that nobody registers", false)
    .addOption(apiOrg());
  callsApi(add, configuration, async () => (await import("../apis.ts")).addApiCommand);
  const list = api.command("list").description("list the APIs of an organization").addOption(apiOrg());
  callsApi(list, configuration, async () => (await import("../apis.ts")).listApisCommand);
  const show = api.command("show").description("show one API").argument("<id>", ID).addOption(apiOrg());
  callsApi(show, configuration, async () => (await import("../apis.ts")).showApiCommand);
  const update = api
    .command("update")
    .description("change the given settings of an API; a list replaces the whole stored list")
    .argument("<id>", ID)
    .option("--name <name>", "name of the API")
    .option("--scope <scope...>", "scope that tokens can have")
    .option("--no-scope", "tokens have no scopes")
    .option("--introspector <client-id...>", "application that may introspect tokens")
    .option("--no-introspector", "only the application that got a token may introspect it")
    .option("--unregistered-clients", "give tokens to clients that nobody registers")
    .option("--no-unregistered-clients", "give tokens to registered applications only")
    .addOption(apiOrg());
  callsApi(update, configuration, async () => (await import("../apis.ts")).updateApiCommand);
  const remove = api
    .command("remove")
    .description("remove an API; applications get no tokens for it any more")
    .argument("<id>", ID)
    .addOption(yes())
    .addOption(apiOrg());
  callsApi(remove, configuration, async () => (await import("../apis.ts")).removeApiCommand);
}
