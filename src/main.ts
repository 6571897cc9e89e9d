import { existsSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { ROLES } from "./access/roles.ts";
import { readConfig } from "./config.ts";

/** States of messages; the file that knows them takes the database with it. */
const MESSAGE_STATES = ["waiting", "sending", "failed", "expired", "sent"];

/** Exit codes: 0 done, 1 failed, 2 wrong usage. */
const FAILED = 1;
const WRONG_USAGE = 2;

// A command's code is loaded once it is asked for: help and wrong usage take 0.2 s instead of 0.7 s, `org list` half.
const program = new Command("signet")
  .description("Identity management service. Configured by environment variables: see docs/configuration.md.")
  .version(packageJson.version)
  .exitOverride()
  .showHelpAfterError("(--help tells the usage)");

program
  .command("serve")
  .description("run the service")
  .option("--workers <number>", "how many processes share the port; 0: as many as there are cores", parseWorkers, 1)
  .action(async ({ workers }) => (await import("./cli/serve.ts")).serve(configuration(), { workers }));

program
  .command("migrate")
  .description("bring the tables of the database up to date")
  .addOption(json())
  .action(async ({ json }) => (await import("./cli/migrate.ts")).migrateCommand(configuration(), { json }));

const org = program.command("org").description("organizations");
org
  .command("create")
  .description("add an organization")
  .argument("<name>", "its name, unique without regard to case")
  .addOption(json())
  .action(async (name, { json }) => (await import("./cli/org.ts")).createOrgCommand(configuration(), { name, json }));
org
  .command("list")
  .description("list all organizations")
  .addOption(json())
  .action(async ({ json }) => (await import("./cli/org.ts")).listOrgsCommand(configuration(), { json }));

const token = program.command("token").description("personal access tokens of machine users");
token
  .command("create")
  .description("make a token for a new or existing machine user, and show it this once")
  .argument("<user>", "name of the machine user; added to the organization where there is none yet")
  .option("--org <org>", "id or name of the user's organization", "default")
  .addOption(new Option("--role <role>", "role that the user gets").choices(Object.keys(ROLES)))
  .option("--in <org>", "id or name of the organization in which an organization's role holds (default: the user's)")
  .option("--days <days>", "how long the token is valid (default: until it is revoked)", parseDays)
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
  .description("revoke a token: the next call with it is refused")
  .argument("<id>", "id of the token, as `token list` shows it")
  .addOption(json())
  .action(async (id, { json }) => (await import("./cli/token.ts")).revokeTokenCommand(configuration(), { id, json }));

const messages = program.command("messages").description("emails and SMS in the queue, without what they hold");
messages
  .command("list")
  .description("list messages: without --state, those that were not sent")
  .addOption(new Option("--state <state>", "those in this state alone").choices(MESSAGE_STATES))
  .option("--limit <number>", "the latest ones, so many at most", parseLimit, 1_000)
  .addOption(json())
  .action(async (options) => (await import("./cli/messages.ts")).listMessagesCommand(configuration(), options));
messages
  .command("show")
  .description("show one message")
  .argument("<id>", "id of the message, as `messages list` shows it")
  .addOption(json())
  .action(async (id, { json }) =>
    (await import("./cli/messages.ts")).showMessageCommand(configuration(), { id, json }),
  );
messages
  .command("retry")
  .description("send a message now that failed, or that waits for its next attempt")
  .argument("<id>", "id of the message, as `messages list` shows it")
  .addOption(json())
  .action(async (id, { json }) =>
    (await import("./cli/messages.ts")).retryMessageCommand(configuration(), { id, json }),
  );

program
  .command("keys")
  .description("master keys")
  .command("rotate")
  .description("encrypt again, under MASTER_KEY, what is encrypted under a key of MASTER_KEY_PREVIOUS")
  .addOption(json())
  .action(async ({ json }) => (await import("./cli/rotate-keys.ts")).rotateKeysCommand(configuration(), { json }));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}

function configuration() {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return readConfig(process.env);
}

/** @returns The exit code. What a user can mend is one line. */
async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  const [{ describeFailure }, { withoutRows }] = await Promise.all([
    import("./cli/describe-failure.ts"),
    import("./database/failure.ts"),
  ]);
  const description = describeFailure(error);
  console.error(description === undefined ? withoutRows(error) : `signet: ${description}`);
  return FAILED;
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
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  }
  return number;
}
