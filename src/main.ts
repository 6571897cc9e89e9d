import { existsSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { ROLES } from "./access/roles.ts";
import { addDatabaseCommand } from "./cli/database-command.ts";
import { readConfig } from "./config.ts";

/** The same as in `messages/find-messages.ts`, which is not imported because it loads the database code. */
const MESSAGE_STATES = ["waiting", "sending", "failed", "expired", "sent"];

/** Exit codes. Success is 0. */
const FAILED = 1;
const WRONG_USAGE = 2;
/** Exit code of `migrate --check`, for which 1 means that migrations are pending. */
const CHECK_FAILED = 2;
let failureCode = FAILED;

// Each command loads its code on demand: help and usage errors take 0.2 s instead of 0.7 s, and `org list` half the
// time.
const program = new Command("signet")
  .description("Identity management service, configured by environment variables (see docs/configuration.md).")
  .version(packageJson.version)
  .exitOverride()
  .showHelpAfterError("(use --help for usage information)");

program
  .command("serve")
  .description("run the service")
  .option("--workers <number>", "number of processes that share the port; 0 starts one per core", parseWorkers, 1)
  .action(async ({ workers }) =>
    (await import("./cli/serve.ts")).serve(configuration(), { workers, version: packageJson.version }),
  );

program
  .command("migrate")
  .description("apply pending database migrations")
  .option("--check", "apply nothing; exit with 0 if none are pending, 1 if some are, and 2 in all other cases", false)
  .addOption(json())
  .action(async ({ check, json }) => {
    if (!check) return (await import("./cli/migrate.ts")).migrateCommand(configuration(), { json });
    failureCode = CHECK_FAILED;
    process.exitCode = await (await import("./cli/check-migrations.ts")).checkMigrationsCommand(configuration(), {
      json,
    });
  });

addDatabaseCommand(program, configuration);

const org = program.command("org").description("manage organizations");
org
  .command("create")
  .description("create an organization")
  .argument("<name>", "name of the organization, unique ignoring case")
  .addOption(json())
  .action(async (name, { json }) => (await import("./cli/org.ts")).createOrgCommand(configuration(), { name, json }));
org
  .command("list")
  .description("list all organizations")
  .addOption(json())
  .action(async ({ json }) => (await import("./cli/org.ts")).listOrgsCommand(configuration(), { json }));

const token = program.command("token").description("manage personal access tokens of machine users");
token
  .command("create")
  .description("create a token for a new or existing machine user; the token is shown only once")
  .argument("<user>", "name of the machine user, which is created if it does not exist")
  .option("--org <org>", "id or name of the user's organization", "default")
  .addOption(new Option("--role <role>", "role to grant to the user").choices(Object.keys(ROLES)))
  .option(
    "--in <org>",
    "id or name of the organization in which to grant an ORG_ role (default: the user's organization)",
  )
  .option("--days <days>", "number of days until the token expires (default: never)", parseDays)
  .addOption(json())
  .action(async (user, options) =>
    (await import("./cli/token.ts")).createTokenCommand(configuration(), { user, ...options }),
  );
token
  .command("list")
  .description("list all tokens, without their secrets")
  .addOption(json())
  .action(async ({ json }) => (await import("./cli/token.ts")).listTokensCommand(configuration(), { json }));
token
  .command("revoke")
  .description("revoke a token, effective with the next call")
  .argument("<id>", "id of the token, as shown by `token list`")
  .addOption(json())
  .action(async (id, { json }) => (await import("./cli/token.ts")).revokeTokenCommand(configuration(), { id, json }));

const member = program.command("member").description("manage the roles of users, human or machine");
member
  .command("add")
  .description("grant a role to a user, in addition to existing roles")
  .argument("<user>", "id of the user, or user name")
  .option("--org <org>", "id or name of the organization in which to look for the user name", "default")
  .addOption(new Option("--role <role>", "role to grant").choices(Object.keys(ROLES)).makeOptionMandatory())
  .option(
    "--in <org>",
    "id or name of the organization in which to grant an ORG_ role (default: the user's organization)",
  )
  .addOption(json())
  .action(async (user, options) =>
    (await import("./cli/member.ts")).addMemberCommand(configuration(), { user, ...options }),
  );
member
  .command("list")
  .description("list the users who have roles, with each role")
  .option("--in <org>", "list only roles in this organization, by its id or name")
  .addOption(json())
  .action(async (options) => (await import("./cli/member.ts")).listMembersCommand(configuration(), options));
member
  .command("remove")
  .description("revoke a role of a user, or all roles in an organization")
  .argument("<user>", "id of the user, or user name")
  .option("--org <org>", "id or name of the organization in which to look for the user name", "default")
  .addOption(
    new Option("--role <role>", "role to revoke (default: all roles in the organization)").choices(Object.keys(ROLES)),
  )
  .option("--in <org>", "id or name of the organization in which the roles apply (default: the user's organization)")
  .addOption(json())
  .action(async (user, options) =>
    (await import("./cli/member.ts")).removeMemberCommand(configuration(), { user, ...options }),
  );

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
    (await import("./cli/app.ts")).createAppCommand(configuration(), { name, ...options }),
  );
app
  .command("list")
  .description("list all applications")
  .addOption(json())
  .action(async ({ json }) => (await import("./cli/app.ts")).listAppsCommand(configuration(), { json }));
app
  .command("show")
  .description("show one application, without its secret")
  .argument("<client-id>", "client id, as shown by `app list`")
  .addOption(json())
  .action(async (id, { json }) => (await import("./cli/app.ts")).showAppCommand(configuration(), { id, json }));
app
  .command("secret")
  .description("replace the client secret; the old one stops working immediately")
  .argument("<client-id>", "client id, as shown by `app list`")
  .addOption(json())
  .action(async (id, { json }) => (await import("./cli/app.ts")).appSecretCommand(configuration(), { id, json }));
app
  .command("remove")
  .description("remove an application and its tokens")
  .argument("<client-id>", "client id, as shown by `app list`")
  .addOption(json())
  .action(async (id, { json }) => (await import("./cli/app.ts")).removeAppCommand(configuration(), { id, json }));

const idp = program.command("idp").description("inspect identity providers");
idp
  .command("list")
  .description("list all identity providers")
  .addOption(json())
  .action(async ({ json }) => (await import("./cli/idp.ts")).listIdpsCommand(configuration(), { json }));
idp
  .command("show")
  .description("show one identity provider, without its client secret, and the callback URL to register there")
  .argument("<id>", "id of the identity provider, as shown by `idp list`")
  .addOption(json())
  .action(async (id, { json }) => (await import("./cli/idp.ts")).showIdpCommand(configuration(), { id, json }));
idp
  .command("check")
  .description("load the metadata and keys of an identity provider, and report problems")
  .argument("<id>", "id of the identity provider, as shown by `idp list`")
  .addOption(json())
  .action(async (id, { json }) => (await import("./cli/idp.ts")).checkIdpCommand(configuration(), { id, json }));

program
  .command("user")
  .description("manage users")
  .command("erase")
  .description("remove a user and erase all personal data; this cannot be undone")
  .argument("<id>", "id of the user")
  .addOption(json())
  .action(async (id, { json }) => (await import("./cli/user.ts")).eraseUserCommand(configuration(), { id, json }));

program
  .command("password")
  .description("check imported passwords")
  .command("check")
  .description("show the scheme of a user's password hash, and whether the password on standard input matches it")
  .argument("<user>", "id of the user, or user name")
  .option("--org <org>", "id or name of the organization in which to look for the user name", "default")
  .addOption(json())
  .action(async (user, options) =>
    (await import("./cli/password.ts")).checkPasswordCommand(configuration(), { user, ...options }),
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
  .action(async (options) => (await import("./cli/otp.ts")).listOtpCommand(configuration(), options));
otp
  .command("remove")
  .description("remove a user's one-time codes and recovery codes, and end the user's sessions")
  .argument("<user>", "id of the user, or user name")
  .option("--org <org>", "id or name of the organization in which to look for the user name", "default")
  .addOption(json())
  .action(async (user, options) =>
    (await import("./cli/otp.ts")).removeOtpCommand(configuration(), { user, ...options }),
  );

const messages = program
  .command("messages")
  .description("manage queued emails and SMS messages; their contents are not shown");
messages
  .command("list")
  .description("list messages; without --state, those that have not been sent")
  .addOption(new Option("--state <state>", "list only messages in this state").choices(MESSAGE_STATES))
  .option("--limit <number>", "maximum number of messages; the most recent ones are listed", parseLimit, 1_000)
  .addOption(json())
  .action(async (options) => (await import("./cli/messages.ts")).listMessagesCommand(configuration(), options));
messages
  .command("show")
  .description("show one message")
  .argument("<id>", "id of the message, as shown by `messages list`")
  .addOption(json())
  .action(async (id, { json }) =>
    (await import("./cli/messages.ts")).showMessageCommand(configuration(), { id, json }),
  );
messages
  .command("retry")
  .description("send a failed or waiting message now")
  .argument("<id>", "id of the message, as shown by `messages list`")
  .addOption(json())
  .action(async (id, { json }) =>
    (await import("./cli/messages.ts")).retryMessageCommand(configuration(), { id, json }),
  );

const keys = program.command("keys").description("manage master keys and signing keys");
keys
  .command("rotate")
  .description("re-encrypt stored secrets with MASTER_KEY")
  .addOption(json())
  .action(async ({ json }) => (await import("./cli/rotate-keys.ts")).rotateKeysCommand(configuration(), { json }));
keys
  .command("rotate-signing")
  .description("create new token signing keys; the old keys continue to verify tokens")
  .addOption(json())
  .action(async ({ json }) =>
    (await import("./cli/rotate-signing-keys.ts")).rotateSigningKeysCommand(configuration(), { json }),
  );

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}

function configuration() {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return readConfig(process.env);
}

/**
 * Prints an error: one line if the operator can fix it, otherwise the stack.
 *
 * @returns The exit code.
 */
async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  const [{ describeFailure }, { redactDatabaseError }] = await Promise.all([
    import("./cli/describe-failure.ts"),
    import("./database/failure.ts"),
  ]);
  const description = describeFailure(error);
  console.error(description === undefined ? redactDatabaseError(error) : `signet: ${description}`);
  return failureCode;
}

function json(): Option {
  return new Option("--json", "print JSON").default(false);
}

function parseDays(text: string): number {
  return parseNumber(text, 1, 36_500);
}

function parseLimit(text: string): number {
  return parseNumber(text, 1, 1_000_000);
}

function parseWorkers(text: string): number {
  return parseNumber(text, 0, 256);
}

function parseNumber(text: string, min: number, max: number): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isInteger(number) || number < min || number > max) {
    throw new InvalidArgumentError(`Expected an integer from ${min} to ${max}.`);
  }
  return number;
}
