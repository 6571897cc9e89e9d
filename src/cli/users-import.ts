import { type Config, ConfigError } from "../config.ts";
import { importUsers } from "../moving/import-users.ts";
import type { ImportOptions } from "../moving/options.ts";
import { describeSummary, type Summary } from "../moving/report/summary.ts";
import { SOURCES } from "../moving/sources.ts";
import { openTarget } from "../moving/target.ts";
import { type ApiOptions, readOrigin, withApi } from "./api.ts";
import { confirmAfterPreview } from "./confirm.ts";
import { withInputFiles } from "./input-files.ts";
import { findNamedOrg } from "./named-org.ts";
import { print } from "./print.ts";
import { INTERRUPTED, untilInterrupted } from "./until-interrupted.ts";
import { UsageError } from "./usage-error.ts";

export interface UsersImportOptions extends ApiOptions, Omit<ImportOptions, "subjects"> {
  readonly subjects?: ImportOptions["subjects"];
  readonly files: readonly string[];
  readonly from: string;
  /** Id or name of the organization. */
  readonly org?: string;
  /** The folder with the folders of all runs. */
  readonly runs: string;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly again: boolean;
  readonly yes: boolean;
  readonly json: boolean;
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
  if (source === undefined)
    throw new UsageError(`--from is invalid: expected one of ${Object.keys(SOURCES).join(", ")}`);
  let hasStarted = false;
  try {
    const summary = await withInputFiles(options.files, options.runs, (inputs) =>
      untilInterrupted((stopped) =>
        withApi(configuration, { ...options, protocol: "grpc" }, async (api) => {
          const place = api.isServer ? readOrigin(options.url ?? "") : "database";
          const orgId = await findNamedOrg(api, options.org);
          return await importUsers({
            ...{ target: await openTarget(api, { place, orgId, orgs: options.orgs }), source, stopped },
            ...{ inputs },
            ...{ options: onlyImportOptions(options), runs: options.runs, concurrency: options.concurrency },
            ...{
              isDryRun: options.dryRun,
              again: options.again,
              out: process.stderr,
              confirm: confirmAfterPreview(options.yes, "import", stopped),
            },
            onStart: () => {
              hasStarted = true;
            },
          });
        }),
      ),
    );
    print(options.json, summary, options.dryRun ? ["dry run: nothing was changed"] : describeSummary(summary));
    process.exitCode = exitCodeOf(summary);
  } catch (error) {
    if (!hasStarted && error instanceof ConfigError) throw new UsageError(error.message);
    if (error instanceof ConfigError) throw new ConfigError(`${error.message}; run the same command again to continue`);
    throw error;
  }
}

function exitCodeOf({ isComplete, outcomes }: Summary): number {
  if (!isComplete) return INTERRUPTED;
  return outcomes.refused > 0 ? SOME_REFUSED : 0;
}

/** The id of a table may be an address, which would become the `sub` for ever. */
function defaultSubjects({ from }: UsersImportOptions): ImportOptions["subjects"] {
  return from === "csv" ? "given" : "ids";
}

function onlyImportOptions(options: UsersImportOptions): ImportOptions {
  const { names, subjects, messages, rpId, defaultRegion, idps, orgs, dropInvalid, allowShared, map, firebase } =
    options;
  return {
    ...{ names, subjects: subjects ?? defaultSubjects(options), messages, idps, orgs, dropInvalid, allowShared, map },
    ...(defaultRegion === undefined ? {} : { defaultRegion }),
    ...(rpId === undefined ? {} : { rpId }),
    ...(firebase === undefined ? {} : { firebase }),
  };
}
