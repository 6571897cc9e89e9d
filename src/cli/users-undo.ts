import type { Config } from "../config.ts";
import { format } from "../moving/checking/describe-findings.ts";
import type { Target } from "../moving/moving-api.ts";
import { findRunFolder, type RunFolder } from "../moving/report/run-folder.ts";
import { openTarget } from "../moving/target.ts";
import { type UndoSummary, undoRun } from "../moving/undo-run.ts";
import { type Api, type JsonOptions, readOrigin, withApi } from "./api.ts";
import { confirmAfterPreview } from "./confirm.ts";
import { print } from "./print.ts";
import { INTERRUPTED, untilInterrupted } from "./until-interrupted.ts";
import { UsageError } from "./usage-error.ts";

interface UsersUndoOptions extends JsonOptions {
  /** The name of a run, or its folder. */
  readonly run: string;
  readonly runs: string;
  readonly keepSignedIn: boolean;
  readonly concurrency: number;
  readonly yes: boolean;
}

/** `signet users undo`: removes the users that a run has imported. */
export async function usersUndoCommand(configuration: () => Config, options: UsersUndoOptions): Promise<void> {
  const folder = findRunFolder(options.runs, options.run);
  const summary = await untilInterrupted((stopped) =>
    withApi(configuration, { ...options, protocol: "grpc" }, async (api) =>
      undoRun({
        ...{ target: await openTargetOfRun(api, folder, options), folder, stopped, out: process.stderr },
        ...{ keepsSignedIn: options.keepSignedIn, concurrency: options.concurrency },
        confirm: confirmAfterPreview(options.yes, "undo", stopped),
      }),
    ),
  );
  print(options.json, summary, describe(summary));
  process.exitCode = exitCodeOf(summary);
}

/**
 * Opens the organization that the run has imported into. Its id exists in one instance only.
 *
 * @throws UsageError on another instance.
 */
async function openTargetOfRun(api: Api, { state }: RunFolder, { url = "" }: UsersUndoOptions): Promise<Target> {
  const place = api.isServer ? readOrigin(url) : "database";
  try {
    return await openTarget(api, { place, orgId: state.orgId, orgs: {} });
  } catch (error) {
    const made = state.place === "database" ? "on a database" : `at ${state.place}`;
    const problem = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the run was made ${made}, in the organization ${state.orgId}, which is not here: ${problem}`);
  }
}

function exitCodeOf({ isComplete, refused }: UndoSummary): number {
  if (!isComplete) return INTERRUPTED;
  return refused.length > 0 ? 1 : 0;
}

function describe({ removed, restored, changedSince, kept, refused, isComplete }: UndoSummary): string[] {
  return [
    `removed ${format(removed)} users`,
    ...(restored > 0 ? [`undid the changes of ${format(restored)} users`] : []),
    ...(changedSince > 0 ? [`${format(changedSince)} values have been changed since, and stay`] : []),
    ...(kept > 0 ? [`${format(kept)} have signed in, and stay`] : []),
    ...refused.map(({ userId, message }) => `${userId} stays: ${message}`),
    ...(isComplete ? [] : ["run the same command again to continue"]),
  ];
}
