import { type Command, InvalidArgumentError, Option } from "commander";
import type { Config } from "../../config.ts";
import { UsageError } from "../usage-error.ts";

export function json(): Option {
  return new Option("--json", "print JSON").default(false);
}

/** Adds the options of a command that calls the API, which may be that of a running server. */
export function withServer(command: Command): Command {
  return command
    .addOption(
      new Option("--url <url>", "origin of a running server to call, instead of the database").env("SIGNET_URL"),
    )
    .option("--token-file <file>", "file with the token for the server (default: the token in SIGNET_TOKEN)")
    .addOption(json());
}

/**
 * Lets a command call the API, which may be that of a running server.
 *
 * @param load Loads the function of the command on demand.
 * @param names The names in its options of the arguments of the command, if they are other ones.
 */
export function callsApi(
  command: Command,
  configuration: () => Config,
  load: () => Promise<(configuration: () => Config, options: never) => Promise<void>>,
  ...names: string[]
): void {
  onAction(withServer(command), names, async (options) => (await load())(configuration, options));
}

/** Lets a command work on the database itself. See `callsApi`. */
export function usesDatabase(
  command: Command,
  configuration: () => Config,
  load: () => Promise<(config: Config, options: never) => Promise<void>>,
): void {
  onAction(command.addOption(json()), [], async (options) => (await load())(configuration(), options));
}

function onAction(command: Command, names: readonly string[], run: (options: never) => Promise<void>): void {
  command.action(async (...given) => {
    const named = command.registeredArguments.map((argument, index) => [names[index] ?? argument.name(), given[index]]);
    await run({ ...Object.fromEntries(named), ...given[named.length] } as never);
  });
}

/**
 * Whether a command calls a running server. Without one, it does not call the API, but works on the database itself.
 *
 * @throws UsageError for a token without a server.
 */
export function isOnServer({ url = "", tokenFile }: { readonly url?: string; readonly tokenFile?: string }): boolean {
  if (url === "" && tokenFile !== undefined) throw new UsageError("--token-file requires --url or SIGNET_URL");
  return url !== "";
}

/** The organization of a command that reaches one organization on a server, and all of them on the database. */
export function serverOrg(): Option {
  return new Option("--org <org>", "on a server: id or name of the organization (default: that of the token)");
}

/** The organization of a command that calls the API. */
export function apiOrg(): Option {
  return new Option(
    "--org <org>",
    "id or name of the organization (default: that of the token; on the database, the default one)",
  );
}

/** For commands that grant a role. */
export function endCredentials(): Option {
  return new Option(
    "--end-credentials",
    "first end the tokens, passkeys, links, passwords and services of the user that others have placed",
  ).default(false);
}

export function yes(): Option {
  return new Option("--yes", "do not ask for a confirmation").default(false);
}

/** The organization of a user who is named by user name. */
export function userOrg(): Option {
  return new Option("--org <org>", "id or name of the organization in which to look for the user name").default(
    "default",
  );
}

export function oneOf(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

export function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === "" || !Number.isInteger(number) || number < min || number > max) {
      throw new InvalidArgumentError(`Expected an integer from ${min} to ${max}.`);
    }
    return number;
  };
}

/** Parses an option whose value is a date, which begins at midnight UTC, or a time with its offset. */
export function dateTime(text: string): Date {
  const [, day = ""] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  // `Date` turns February 30 into March 2.
  const [date, midnight] = [new Date(text), new Date(`${day}T00:00Z`)];
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  if (isDay && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError("Expected a date such as 2026-11-24, in UTC, or a time such as 2026-11-24T18:00Z.");
}
