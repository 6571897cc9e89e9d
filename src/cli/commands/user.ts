import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { apiOrg, callsApi, integerFrom, oneOf, userOrg, usesDatabase, withServer, yes } from "./options.ts";

/** Defines `signet user …`, `signet password …` and `signet otp …`. */
export function defineUserCommands(program: Command, configuration: () => Config): void {
  const user = program.command("user").description("manage users");
  defineReads(user, configuration);
  defineImport(user, configuration);
  defineChanges(user, configuration);
  defineSessions(user, configuration);
  definePassword(program, configuration);
  defineOtp(program, configuration);
}

const USER = "id of the user, user name, or verified email address";

function defineReads(user: Command, configuration: () => Config): void {
  const list = user
    .command("list")
    .description("list the users of an organization, by user name")
    .addOption(apiOrg())
    .addOption(oneOf("--state <state>", "only users in this state", ["active", "inactive", "locked", "initial"]))
    .addOption(oneOf("--type <type>", "only users of this type", ["human", "machine"]))
    .option("--search <text>", "only users with this text in the user name, display name or email address")
    .option("--phone <number>", "only users with this phone number, or one that begins with it, such as +4179")
    .option("--limit <number>", "maximum number of users", integerFrom(1, 1_000), 100)
    .option("--page-token <token>", "continue after the page that printed this token");
  callsApi(list, configuration, async () => (await import("../read-users.ts")).listUsersCommand);
  const show = user.command("show").description("show one user").argument("<user>", USER).addOption(apiOrg());
  callsApi(show, configuration, async () => (await import("../read-users.ts")).showUserCommand);
}

function defineImport(user: Command, configuration: () => Config): void {
  const values = ["userName", "firstName", "lastName", "email", "emailVerified", "phone", "phoneVerified", "language"];
  const command = user
    .command("import-one")
    .description("import one human user, and print the id; the user gets the same messages as with the API")
    .addOption(new Option("--file <file>", "file with the request in JSON; - is the standard input").conflicts(values))
    .option("--user-name <name>", "user name (default: the email address)")
    .option("--first-name <name>", "given name")
    .option("--last-name <name>", "family name")
    .option("--email <address>", "email address")
    .option("--email-verified", "the address belongs to the user, who gets no email to verify it")
    .option("--phone <number>", "phone number")
    .option("--phone-verified", "the number belongs to the user, who gets no SMS to verify it")
    .option("--language <tag>", "language of pages and messages, such as de")
    .addOption(apiOrg());
  callsApi(command, configuration, async () => (await import("../import-user.ts")).importUserCommand);
}

function defineChanges(user: Command, configuration: () => Config): void {
  type Name = Parameters<typeof import("../change-user.ts").changeUserCommand>[1];
  const change = (name: Name, description: string) => {
    const command = user.command(name).description(description).argument("<user>", USER).addOption(apiOrg());
    return withServer(command).action(async (user, { sms, ...options }) =>
      (await import("../change-user.ts")).changeUserCommand(
        configuration,
        name === "reset-password" && sms ? "reset-password --sms" : name,
        { user, ...options },
      ),
    );
  };
  change("lock", "lock an active user, and end the user's sessions").addOption(yes());
  change("unlock", "unlock a locked user");
  change("deactivate", "deactivate a user, and end the user's sessions").addOption(yes());
  change("reactivate", "reactivate a deactivated user");
  change("reset-password", "send a user a link to set a new password, to the verified email address").option(
    "--sms",
    "send it to the verified phone number instead",
  );
  change("erase", "remove a user and erase all personal data; this cannot be undone").addOption(yes());
}

function defineSessions(user: Command, configuration: () => Config): void {
  const command = user
    .command("sessions")
    .description("list the sessions of a user, or end some or all")
    .argument("<user>", USER)
    .addOption(new Option("--end <id...>", "end these sessions, with the tokens of applications").conflicts("endAll"))
    .option("--end-all", "end all sessions, with the tokens of applications", false)
    .addOption(yes())
    .addOption(apiOrg());
  callsApi(command, configuration, async () => (await import("../user-sessions.ts")).userSessionsCommand);
}

function definePassword(program: Command, configuration: () => Config): void {
  const check = program
    .command("password")
    .description("check imported passwords")
    .command("check")
    .description("show the scheme of a user's password hash, and whether the password on standard input matches it")
    .argument("<user>", "id of the user, or user name")
    .addOption(userOrg());
  usesDatabase(check, configuration, async () => (await import("../password.ts")).checkPasswordCommand);
}

function defineOtp(program: Command, configuration: () => Config): void {
  const otp = program.command("otp").description("list and remove one-time codes");
  const list = otp
    .command("list")
    .description("list the users with one-time codes, without their secrets")
    .option(
      "--unusable",
      "list only users whose imported otpCode is not a secret, so that they are not asked for codes",
      false,
    );
  usesDatabase(list, configuration, async () => (await import("../otp.ts")).listOtpCommand);
  const remove = otp
    .command("remove")
    .description("remove a user's one-time codes and recovery codes, and end the user's sessions")
    .argument("<user>", "id of the user, or user name")
    .addOption(userOrg());
  usesDatabase(remove, configuration, async () => (await import("../otp.ts")).removeOtpCommand);
}
