import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { APP_SETTINGS } from "../../database/app-config.ts";
import { addAppOptions } from "../app-options.ts";
import { defineAppRoles } from "./app-roles.ts";
import { callsApi, oneOf, serverOrg, yes } from "./options.ts";

export function defineAppCommands(program: Command, configuration: () => Config): void {
  const app = program.command("app").description("manage the applications that users sign in to");
  defineCreate(app, configuration);
  defineReads(app, configuration);
  defineUpdate(app, configuration);
  defineSecret(app, configuration);
  defineRemove(app, configuration);
  defineAppRoles(app, configuration);
}

function defineCreate(app: Command, configuration: () => Config): void {
  const create = app
    .command("create")
    .description("add an application; its client secret is shown only once")
    .argument("<name>", "name that the sign-in page shows")
    .addOption(oneOf("--type <type>", "where it runs", APP_SETTINGS.type.rule).default("web"))
    .addOption(authMethod())
    .addOption(jwksFile())
    .addOption(jwksUri());
  addAppOptions(create, true)
    .option(
      "--org <org>",
      "id or name of the organization whose users sign in (default: on a server, that of the token; otherwise, default)",
    )
    .option("--instance", "add an application for the users of all organizations", false);
  callsApi(create, configuration, async () => (await import("../app.ts")).createAppCommand);
}

function defineReads(app: Command, configuration: () => Config): void {
  const list = app
    .command("list")
    .description("list all applications; on a server, those of one organization")
    .option("--instance", "list only those of the instance", false)
    .addOption(serverOrg());
  callsApi(list, configuration, async () => (await import("../app.ts")).listAppsCommand);
  const show = app
    .command("show")
    .description("show one application, without its secret")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(serverOrg());
  callsApi(show, configuration, async () => (await import("../app.ts")).showAppCommand, "id");
}

function defineUpdate(app: Command, configuration: () => Config): void {
  const update = app
    .command("update")
    .description("change the given parts of the configuration; a list replaces the whole stored list")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(authMethod())
    .addOption(jwksFile())
    .addOption(jwksUri());
  addAppOptions(update, false)
    .option("--instance", "fail unless it is an application of the instance", false)
    .addOption(serverOrg());
  callsApi(update, configuration, async () => (await import("../app.ts")).updateAppCommand, "id");
}

function defineSecret(app: Command, configuration: () => Config): void {
  const secret = app
    .command("secret")
    .description("replace the client secret; the old one stops working immediately")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(serverOrg())
    .addOption(yes());
  callsApi(secret, configuration, async () => (await import("../app.ts")).appSecretCommand, "id");
}

function defineRemove(app: Command, configuration: () => Config): void {
  const remove = app
    .command("remove")
    .description("remove an application and its tokens")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(serverOrg())
    .addOption(yes());
  callsApi(remove, configuration, async () => (await import("../app.ts")).removeAppCommand, "id");
}

function authMethod(): Option {
  const option = oneOf("--auth-method <method>", "how it sends its secret: in the header or in the body", [
    "basic",
    "post",
  ]);
  return option.conflicts(["jwksFile", "jwksUri"]);
}

function jwksFile(): Option {
  const option = new Option(
    "--jwks-file <file>",
    "it signs instead of sending a secret: JSON Web Key Set, public keys",
  );
  return option.conflicts(["jwksUri"]);
}

function jwksUri(): Option {
  return new Option("--jwks-uri <url>", "it signs instead of sending a secret: URL of its JSON Web Key Set");
}
