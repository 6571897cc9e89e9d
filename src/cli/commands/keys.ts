import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { json } from "./options.ts";

export function defineKeysCommands(program: Command, configuration: () => Config): void {
  const keys = program.command("keys").description("manage master keys and signing keys");
  keys
    .command("rotate")
    .description("re-encrypt stored secrets with MASTER_KEY")
    .addOption(json())
    .action(async ({ json }) => (await import("../rotate-keys.ts")).rotateKeysCommand(configuration(), { json }));
  keys
    .command("rotate-signing")
    .description("create new token signing keys; the old keys continue to verify tokens")
    .addOption(json())
    .action(async ({ json }) =>
      (await import("../rotate-keys.ts")).rotateSigningKeysCommand(configuration(), { json }),
    );
}
