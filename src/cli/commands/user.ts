import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { json, userOrg } from "./options.ts";

/** Adds `signet user …`, `signet password …` and `signet otp …`. */
export function addUserCommands(program: Command, configuration: () => Config): void {
  program
    .command("user")
    .description("manage users")
    .command("erase")
    .description("remove a user and erase all personal data; this cannot be undone")
    .argument("<id>", "id of the user")
    .addOption(json())
    .action(async (id, { json }) => (await import("../user.ts")).eraseUserCommand(configuration(), { id, json }));

  program
    .command("password")
    .description("check imported passwords")
    .command("check")
    .description("show the scheme of a user's password hash, and whether the password on standard input matches it")
    .argument("<user>", "id of the user, or user name")
    .addOption(userOrg())
    .addOption(json())
    .action(async (user, options) =>
      (await import("../password.ts")).checkPasswordCommand(configuration(), { user, ...options }),
    );

  const otp = program.command("otp").description("list and remove one-time codes");
  otp
    .command("list")
    .description("list the users with one-time codes, without their secrets")
    .option(
      "--unusable",
      "list only users whose imported otpCode is not a secret, so that they are not asked for codes",
      false,
    )
    .addOption(json())
    .action(async (options) => (await import("../otp.ts")).listOtpCommand(configuration(), options));
  otp
    .command("remove")
    .description("remove a user's one-time codes and recovery codes, and end the user's sessions")
    .argument("<user>", "id of the user, or user name")
    .addOption(userOrg())
    .addOption(json())
    .action(async (user, options) =>
      (await import("../otp.ts")).removeOtpCommand(configuration(), { user, ...options }),
    );
}
