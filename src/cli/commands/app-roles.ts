import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { callsApi, serverOrg, withServer } from "./options.ts";

const APP = "client id, as shown by `app list`";
const USER = "id of the user, user name, or verified email address";

export function defineAppRoles(app: Command, configuration: () => Config): void {
  const roles = app.command("roles").description("manage the roles that users have in applications");
  const set = roles
    .command("set")
    .description("replace the names of the roles of an application; users lose roles that it no longer has")
    .argument("<client-id>", APP)
    .argument("[role...]", "names of the roles; none for an application without roles")
    .addOption(serverOrg());
  callsApi(set, configuration, async () => (await import("../app.ts")).updateAppCommand, "id", "role");
  const list = roles
    .command("list")
    .description("list the roles of the users of an application, or of one user in all applications")
    .argument("[client-id]", APP)
    .option("--user <user>", `only the roles of this user: ${USER}`)
    .option("--role <role>", "only this role")
    .addOption(serverOrg());
  callsApi(list, configuration, async () => (await import("../app-roles.ts")).listAppRolesCommand, "appId");
  const change = (name: "add" | "remove", description: string) => {
    const command = roles
      .command(name)
      .description(description)
      .argument("<client-id>", APP)
      .argument("<user>", USER)
      .argument("<role...>", "names of the roles")
      .addOption(serverOrg());
    withServer(command).action(async (appId, user, role, options) =>
      (await import("../app-roles.ts")).changeAppRolesCommand(configuration, name, { appId, user, role, ...options }),
    );
  };
  change("add", "give a user roles in an application, in addition to existing ones");
  change("remove", "take roles in an application from a user");
}
