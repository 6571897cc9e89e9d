import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { usesDatabase } from "./options.ts";

export function defineKeysCommands(program: Command, configuration: () => Config): void {
  const keys = program.command("keys").description("manage master keys and signing keys");
  const rotate = keys.command("rotate").description("re-encrypt stored secrets with MASTER_KEY");
  usesDatabase(rotate, configuration, async () => (await import("../rotate-keys.ts")).rotateKeysCommand);
  const signing = keys
    .command("rotate-signing")
    .description("create new token signing keys; the old keys continue to verify tokens");
  usesDatabase(signing, configuration, async () => (await import("../rotate-keys.ts")).rotateSigningKeysCommand);
}
