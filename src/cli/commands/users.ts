import { setFlagsFromString } from "node:v8";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Config } from "../../config.ts";
import {
  DEFAULT_RUNS,
  DROPPABLE,
  MERGE_RULES,
  MESSAGE_RULES,
  MISSING_EMAIL_RULES,
  NAME_RULES,
  SHAREABLE,
  SOURCE_NAMES,
  SUBJECT_RULES,
} from "../../moving/options.ts";
import { apiOrg, callsApi, integerFrom, oneOf, withServer, yes } from "./options.ts";

/** Defines `signet users …`: commands for many users at once. */
export function defineUsersCommands(program: Command, configuration: () => Config): void {
  const users = program.command("users").description("import and export many users");
  defineImport(users, configuration);
  defineUndo(users, configuration);
  defineExport(users, configuration);
}

/** The folder of the reports. */
function runs(): Option {
  return new Option("--runs <folder>", "folder with the reports of all runs").default(DEFAULT_RUNS);
}

function defineImport(users: Command, configuration: () => Config): void {
  const command = users
    .command("import")
    .description(
      "import the users of an export; checks everything and shows what will happen before it asks. The same files, target and options continue the same run",
    )
    .argument("<file...>", "files of the export, also compressed with gzip or zstd; - is the standard input")
    .requiredOption("--from <source>", `the system that the export is from: ${SOURCE_NAMES.join(", ")}`)
    .addOption(apiOrg())
    .option("--dry-run", "check and show only", false)
    .option("--again", "import users again whom a complete run has imported, and who were removed since", false)
    .option("--update", "also change users of earlier imports to what the export says", false)
    .addOption(listOf("--names <rules>", "what to do about missing names, in this order", NAME_RULES, REFUSED))
    .option("--default-region <region>", "region of national phone numbers, such as CH", region)
    .addOption(
      oneOf(
        "--subjects <rule>",
        "the `sub` that applications see: that of the export or else its id, only that of the export, or a new one",
        SUBJECT_RULES,
      ).default(undefined, "ids; for csv: given"),
    )
    .addOption(
      oneOf(
        "--messages <rule>",
        "send the emails and SMS messages that users need, none, or write their links to the report",
        MESSAGE_RULES,
      ).default("send"),
    )
    .option("--rp-id <domain>", "domain of passkeys whose export does not say it")
    .option("--idp <name=id>", "id of the provider here for a provider there; can be repeated", addPair, {})
    .option("--org-map <name=org>", "organization here for an organization there; can be repeated", addPair, {})
    .option("--map <column=field>", "field for a column or trait; can be repeated", addPair, {})
    .addOption(
      listOf("--drop-invalid <fields>", "import users without these values if they are invalid", DROPPABLE, REFUSED),
    )
    .addOption(
      listOf(
        "--allow-shared <fields>",
        "import users who share these values with an earlier one",
        SHAREABLE,
        "only the first user is imported",
      ),
    )
    .addOption(oneOf("--merge <rule>", "make one user of records that share a verified email address", MERGE_RULES))
    .addOption(
      oneOf(
        "--missing-email <rule>",
        "give users without an email address one that gets no messages",
        MISSING_EMAIL_RULES,
      ),
    )
    .option("--concurrency <number>", "most calls at once", integerFrom(1, 256), 32)
    .option("--signer-key <key>", "Firebase: base64_signer_key of the hash parameters")
    .option("--salt-separator <text>", "Firebase: base64_salt_separator of the hash parameters", "Bw==")
    .option("--rounds <number>", "Firebase: rounds of the hash parameters", integerFrom(1, 8), 8)
    .option("--mem-cost <number>", "Firebase: mem_cost of the hash parameters", integerFrom(1, 14), 14)
    .addOption(runs())
    .addOption(yes());
  withServer(command).action(async (files, { idp, orgMap, signerKey, saltSeparator, rounds, memCost, ...options }) => {
    const firebase = signerKey === undefined ? {} : { firebase: { signerKey, saltSeparator, rounds, memCost } };
    saveMemory();
    const { usersImportCommand } = await import("../users-import.ts");
    await usersImportCommand(configuration, { files, idps: idp, orgs: orgMap, ...firebase, ...options });
  });
}

/**
 * Short-lived objects then take 2 MiB instead of 128 MiB, and the others are collected before they take much more than they
 * need. It is called before the modules of the import are loaded, which would otherwise take 40 MiB more.
 */
function saveMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--optimize-for-size");
}

function defineUndo(users: Command, configuration: () => Config): void {
  const command = users
    .command("undo")
    .description(
      "remove the users that a run of `users import` has made, erase their data, and undo its changes of others; this cannot be undone",
    )
    .argument("<run>", "name of the run, or its folder")
    .option("--keep-signed-in", "keep users who have signed in since the import", false)
    .option("--concurrency <number>", "most calls at once", integerFrom(1, 256), 16)
    .addOption(runs())
    .addOption(yes());
  callsApi(command, configuration, async () => (await import("../users-undo.ts")).usersUndoCommand);
}

function defineExport(users: Command, configuration: () => Config): void {
  const command = users
    .command("export")
    .description("write the users of an organization in Signet's own format, which `users import --from signet` reads")
    .addOption(apiOrg().conflicts("allOrgs"))
    .option("--all-orgs", "write the users of all organizations", false)
    .option("--out <file>", "file to write, which must not exist (default: the standard output)")
    .option("--with-hashes", "write the hashes of passwords; only on the database", false)
    .option("--with-secrets", "write the secrets of one-time codes; only on the database", false);
  callsApi(command, configuration, async () => (await import("../users-export.ts")).usersExportCommand);
}

/** An option whose value is a list with commas. */
function listOf(flags: string, description: string, items: readonly string[], without: string): Option {
  const names = items.join(", ");
  const parse = (text: string) =>
    text.split(",").map((part) => {
      const item = part.trim();
      if (!items.includes(item)) throw new InvalidArgumentError(`Expected one or more of ${names}.`);
      return item;
    });
  return new Option(flags, `${description}: ${names}`).argParser(parse).default([], without);
}

const REFUSED = "such users are refused";

/** Parses `name=value`, which can be repeated. The value begins after the last equals sign. */
function addPair(text: string, pairs: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.lastIndexOf("=");
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError("Expected two values with = between them.");
  return { ...pairs, [text.slice(0, at)]: text.slice(at + 1) };
}

function region(text: string): string {
  if (!/^[A-Za-z]{2}$/.test(text)) throw new InvalidArgumentError("Expected two letters (ISO 3166-1), such as CH.");
  return text.toUpperCase();
}
