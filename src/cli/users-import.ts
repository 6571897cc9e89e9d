import { createWriteStream, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Config, ConfigError } from "../config.ts";
import { importUsers } from "../moving/import-users.ts";
import { DEFAULT_RUNS, defaultSubjects, type ImportOptions, onlyImportOptions } from "../moving/options.ts";
import type { InputFile } from "../moving/reading/read-records.ts";
import { describeSummary, type Summary } from "../moving/report/summary.ts";
import { SOURCES } from "../moving/sources.ts";
import { openTarget } from "../moving/target.ts";
import { type OrgOptions, readOrigin, withApi } from "./api.ts";
import { confirmAfterPreview } from "./confirm.ts";
import { findNamedOrg } from "./named-org.ts";
import { print } from "./print.ts";
import { INTERRUPTED, untilInterrupted } from "./until-interrupted.ts";
import { UsageError } from "./usage-error.ts";

interface UsersImportOptions extends OrgOptions, Omit<ImportOptions, "subjects"> {
  readonly subjects?: ImportOptions["subjects"];
  readonly files: readonly string[];
  readonly from: string;
  /** The folder with the folders of all runs. */
  readonly runs: string;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly again: boolean;
  readonly yes: boolean;
}

/** Exit codes of `users import` besides 0, for everything arrived. */
const SOME_REFUSED = 1;

/**
 * `signet users import`: see docs/moving.md.
 *
 * @throws UsageError for everything that prevents the import before it changes anything.
 */
export async function usersImportCommand(configuration: () => Config, options: UsersImportOptions): Promise<void> {
  const source = SOURCES[options.from];
  const names = Object.keys(SOURCES).join(", ");
  if (source === undefined) throw new UsageError(`--from is invalid: expected one of ${names}`);
  const { subjects = defaultSubjects(source.name) } = options;
  let hasStarted = false;
  try {
    const summary = await withInputFiles(options.files, options.runs, (inputs) =>
      untilInterrupted((stopped) =>
        withApi(configuration, { ...options, protocol: "grpc" }, async (api) => {
          const place = api.isServer ? readOrigin(options.url ?? "") : "database";
          const orgId = await findNamedOrg(api, options.org);
          const opened = await openTarget(api, { place, orgId, orgs: options.orgs });
          const callerId = options.update && api.isServer ? ((await api.auth.getMyUser({})).user?.id ?? "") : "";
          return await importUsers({
            ...{ target: { ...opened, callerId }, source, stopped, inputs, out: process.stderr },
            options: onlyImportOptions({ ...options, subjects }),
            ...{ runs: options.runs, concurrency: options.concurrency },
            ...{ isDryRun: options.dryRun, again: options.again },
            confirm: confirmAfterPreview(options.yes, "import", stopped),
            onStart: () => {
              hasStarted = true;
            },
          });
        }),
      ),
    );
    print(
      options.json,
      summary,
      options.dryRun ? ["dry run: nothing was changed"] : describeSummary(summary, undoCommand(summary, options)),
    );
    process.exitCode = exitCodeOf(summary);
  } catch (error) {
    if (!hasStarted && error instanceof ConfigError) throw new UsageError(error.message);
    if (error instanceof ConfigError) throw new ConfigError(`${error.message}; run the same command again to continue`);
    throw error;
  }
}

/**
 * Runs `use` with the files of an import. The standard input, `-`, is copied to a file first, because an import reads its files
 * several times. The copy has mode 0600 and is removed afterwards.
 *
 * @param folder Where the copy is made.
 */
async function withInputFiles<T>(
  names: readonly string[],
  folder: string,
  use: (files: InputFile[]) => Promise<T>,
): Promise<T> {
  const copy = join(folder, `stdin-${process.pid}`);
  if (names.filter((name) => name === "-").length > 1) throw new UsageError("the standard input, -, is given twice");
  try {
    for (const name of names) {
      if (name === "-") await copyInput(folder, copy);
      else if (!existsSync(name)) throw new UsageError(`there is no file ${name}`);
    }
    return await use(names.map((name) => (name === "-" ? { name, path: copy } : { name, path: name })));
  } finally {
    rmSync(copy, { force: true });
  }
}

async function copyInput(folder: string, copy: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }));
}

function undoCommand({ run }: Summary, { runs }: UsersImportOptions): string {
  return `signet users undo ${run}${runs === DEFAULT_RUNS ? "" : ` --runs ${/^[\w./-]+$/.test(runs) ? runs : JSON.stringify(runs)}`}`;
}

function exitCodeOf({ isComplete, outcomes }: Summary): number {
  if (!isComplete) return INTERRUPTED;
  return outcomes.refused > 0 ? SOME_REFUSED : 0;
}
