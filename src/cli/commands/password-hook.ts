import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { apiOrg, callsApi } from "./options.ts";

export function definePasswordHookCommands(program: Command, configuration: () => Config): void {
  const hook = program
    .command("password-hook")
    .description("let the earlier system verify the passwords of users who have none yet");
  const set = hook
    .command("set")
    .description("set the URL, and print a new signing key, which cannot be shown again")
    .argument("<hook>", "URL that verifies passwords, such as https://legacy.example.com/signet")
    .addOption(apiOrg());
  callsApi(set, configuration, async () => (await import("../password-hook.ts")).setPasswordHookCommand, "hookUrl");
  const show = hook.command("show").description("show the URL, without the signing key").addOption(apiOrg());
  callsApi(show, configuration, async () => (await import("../password-hook.ts")).showPasswordHookCommand);
  const remove = hook
    .command("remove")
    .description("ask the earlier system about no more passwords; those that are stored stay")
    .addOption(apiOrg());
  callsApi(remove, configuration, async () => (await import("../password-hook.ts")).removePasswordHookCommand);
}
