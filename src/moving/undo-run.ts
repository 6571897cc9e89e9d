import { randomUUID } from "node:crypto";
import { format } from "./checking/describe-findings.ts";
import { describeTarget, lockRun } from "./import-users.ts";
import type { Target } from "./moving-api.ts";
import { createFinishedRecords } from "./report/finished-records.ts";
import { readLines, readOutcomes } from "./report/read-outcomes.ts";
import { type RunFolder, setAside } from "./report/run-folder.ts";
import type { UpdateLine } from "./report/update-journal.ts";
import { createPatience } from "./running/call-patiently.ts";
import { type Output, writeLines } from "./running/show-progress.ts";
import { undoUpdates } from "./running/undo-updates.ts";
import { AT_ONCE, countImported, type ImportedUsers, removeImported } from "./running/undo-users.ts";

interface UndoParts {
  readonly target: Target;
  readonly folder: RunFolder;
  /** Whether users who have signed in since the import stay. */
  readonly keepsSignedIn: boolean;
  readonly concurrency: number;
  readonly stopped: AbortSignal;
  readonly out: Output;
  readonly confirm: (question: string) => Promise<void>;
}

export interface UndoSummary {
  readonly run: string;
  /** Users that the run has imported. */
  readonly imported: number;
  /** Of them, those that still exist, and those that have signed in since. */
  readonly existing: number;
  readonly signedIn: number;
  /** Users whom the run has changed, or was about to. */
  readonly updated: number;
  readonly removed: number;
  /** Of those whom the run has changed, those who are again as before. */
  readonly restored: number;
  /** Values that somebody has changed since, and that stay. */
  readonly changedSince: number;
  /** Users who stay because of `keepsSignedIn`. */
  readonly kept: number;
  /** Users who could not be removed. */
  readonly refused: readonly { readonly userId: string; readonly message: string }[];
  readonly isComplete: boolean;
}

/** Removes the users that a run has imported, and undoes its changes of users who existed before. */
export async function undoRun(parts: UndoParts): Promise<UndoSummary> {
  const { target, folder, out, keepsSignedIn, concurrency, stopped, confirm } = parts;
  writeLines(out, [`target      ${describeTarget(target)}`, `run         ${folder.state.run}, in ${folder.path}`]);
  const lock = lockRun(folder);
  try {
    const users = { api: target.api, concurrency, stopped, imported: () => readImported(folder) };
    let counts = { imported: 0, existing: 0, signedIn: 0, updated: 0 };
    try {
      counts = { ...(await countImported(users)), updated: await countUpdated(folder) };
      writeLines(out, [
        `imported    ${format(counts.imported)} users`,
        `exist       ${format(counts.existing)}`,
        `signed in   ${format(counts.signedIn)} since the import${keepsSignedIn ? "; they stay" : ""}`,
      ]);
      if (counts.updated > 0) writeLines(out, [`changed     ${format(counts.updated)} users`]);
      const toRemove = counts.existing - (keepsSignedIn ? counts.signedIn : 0);
      const restoring = counts.updated === 0 ? "" : `, and undo the changes of ${format(counts.updated)}`;
      if (toRemove + counts.updated > 0)
        await confirm(`Remove ${format(toRemove)} users, and erase their data${restoring}?`);
    } catch (error) {
      if (!stopped.aborted) throw error;
      return { run: folder.state.run, ...counts, ...NOTHING, isComplete: false };
    }
    const removed = await removeImported(users, { keepsSignedIn });
    const { refused, ...restored } = await undoUpdates(
      { ...users, patience: createPatience(concurrency, stopped), key: `${folder.state.key} undo` },
      readLines<UpdateLine>(folder.files.updates),
    );
    const result = { ...removed, ...restored, refused: [...removed.refused, ...refused] };
    const isComplete = !stopped.aborted;
    if (isComplete && result.refused.length === 0) startAnew(folder);
    return { run: folder.state.run, ...counts, ...result, isComplete };
  } finally {
    lock.release();
  }
}

const NOTHING = { removed: 0, kept: 0, restored: 0, changedSince: 0, refused: [] };

/** Those of the journal: a user whose update was interrupted, or refused after the first call, has changes to undo as well. */
async function countUpdated({ files }: RunFolder): Promise<number> {
  const records = createFinishedRecords();
  for await (const { n } of readLines<UpdateLine>(files.updates)) records.set(n, "done");
  return records.size;
}

/** The ids of the users that the run has made, in groups of one organization. */
async function* readImported({ files }: RunFolder): AsyncGenerator<ImportedUsers> {
  let group: { orgId: string; ids: string[] } | undefined;
  for await (const outcome of readOutcomes(files.report)) {
    if (outcome.outcome !== "imported") continue;
    if (group !== undefined && (group.orgId !== outcome.orgId || group.ids.length === AT_ONCE)) {
      yield group;
      group = undefined;
    }
    group ??= { orgId: outcome.orgId, ids: [] };
    group.ids.push(outcome.userId);
  }
  if (group !== undefined) yield group;
}

/**
 * A later import of the same files imports the users again, with other idempotency keys, and the report of this one stays. If this
 * process is killed between the two steps, the import takes the second one.
 */
function startAnew({ files, save }: RunFolder): void {
  save({ state: "undone", key: randomUUID(), ranMs: 0, startedAt: undefined });
  setAside(files);
}
