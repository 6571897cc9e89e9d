import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { json } from "./options.ts";

/** Adds `signet app …`. */
export function addAppCommand(program: Command, configuration: () => Config): void {
  const app = program.command("app").description("manage the applications that users sign in to");
  app
    .command("create")
    .description("add an application; its client secret is shown only once")
    .argument("<name>", "name that the sign-in page shows")
    .option("--redirect-uri <uri...>", "URI the browser can return to after sign-in", [])
    .option("--post-logout-redirect-uri <uri...>", "URI the browser can return to after sign-out", [])
    .addOption(new Option("--type <type>", "where it runs").choices(["web", "spa", "native"]).default("web"))
    .option("--dev-mode", "allow http redirect URIs", false)
    .option("--org <org>", "id or name of the organization whose users sign in", "default")
    .option("--instance", "add an application for the users of all organizations", false)
    .addOption(json())
    .action(async (name, options) =>
      (await import("../app.ts")).createAppCommand(configuration(), { name, ...options }),
    );
  app
    .command("list")
    .description("list all applications")
    .addOption(json())
    .action(async ({ json }) => (await import("../app.ts")).listAppsCommand(configuration(), { json }));
  app
    .command("show")
    .description("show one application, without its secret")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(json())
    .action(async (id, { json }) => (await import("../app.ts")).showAppCommand(configuration(), { id, json }));
  app
    .command("secret")
    .description("replace the client secret; the old one stops working immediately")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(json())
    .action(async (id, { json }) => (await import("../app.ts")).appSecretCommand(configuration(), { id, json }));
  app
    .command("remove")
    .description("remove an application and its tokens")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(json())
    .action(async (id, { json }) => (await import("../app.ts")).removeAppCommand(configuration(), { id, json }));
}
