import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ConfigError } from "../config.ts";
import { type DataLock, lockDataDir } from "../database/data-lock.ts";
import { checkProviders } from "./checking/check-providers.ts";
import { checkRecords } from "./checking/check-records.ts";
import { describeColumns, describeFindings, format, formatSeconds } from "./checking/describe-findings.ts";
import { estimateSeconds } from "./checking/estimate-seconds.ts";
import { findOrgs } from "./checking/find-orgs.ts";
import type { Findings } from "./checking/tally.ts";
import { type Column, readColumns } from "./columns/columns.ts";
import { findMerges } from "./converting/find-merges.ts";
import { createDiskIndex } from "./disk-index.ts";
import { inOrg } from "./in-org.ts";
import type { Target } from "./moving-api.ts";
import type { ImportOptions } from "./options.ts";
import { type InputFile, readRecords } from "./reading/read-records.ts";
import { type Input, type JoinedRecords, joinRecords } from "./reading/read-users.ts";
import { openLineFile } from "./report/append-lines.ts";
import { readRunProgress } from "./report/read-run-progress.ts";
import { openRunFolder, type RunFolder, setAside } from "./report/run-folder.ts";
import { type Summary, toSummary, writeSummary } from "./report/summary.ts";
import { writeIds, writeRefused } from "./report/write-results.ts";
import { findRemovedSince, forgetOutcomes } from "./running/removed-since.ts";
import { runImport } from "./running/run-import.ts";
import { createImportProgress, type Output, showProgress, writeLines } from "./running/show-progress.ts";
import { SERVICE_RULES } from "./service-rules.ts";
import type { Source } from "./source.ts";
import type { WorkIndex } from "./work-index.ts";

interface ImportUsersParts {
  readonly target: Target;
  readonly source: Source;
  readonly inputs: readonly InputFile[];
  readonly options: ImportOptions;
  /** The folder with the folders of all runs. */
  readonly runs: string;
  readonly concurrency: number;
  readonly isDryRun: boolean;
  /** Whether a complete run imports users again that were removed since. */
  readonly again: boolean;
  /** Ends the import early. */
  readonly stopped: AbortSignal;
  /** Gets the preview and the progress. */
  readonly out: Output;
  /** Asks before anything is written; throws unless the answer is yes. */
  readonly confirm: (question: string) => Promise<void>;
  /** Runs once the answer is yes: from then on, errors do not mean that nothing was changed. */
  readonly onStart: () => void;
}

/**
 * Imports the users of an export: checks all records, shows what will happen, asks, and imports. The same files, target and options
 * are the same run, which continues where it stopped.
 *
 * @throws ConfigError for what prevents the import.
 */
export async function importUsers(parts: ImportUsersParts): Promise<Summary> {
  const { target, source, inputs, options, out } = parts;
  writeLines(out, [`target      ${describeTarget(target)}`]);
  await checkProviders(target, Object.entries(options.idps));
  const identity = { from: source.name, target, files: inputs, options };
  const folder = await openRunFolder(parts.runs, identity);
  writeLines(out, [`run         ${folder.state.run}, in ${folder.path}`]);
  const lock = lockRun(folder);
  const index = createDiskIndex(folder.files.index);
  try {
    const input = { names: inputs.map(({ name }) => name), read: () => readRecords(inputs, source) };
    const joined = await joinRecords(input, source, index);
    const found = await findOrgs(target, source, input, options);
    return await importIn({ ...parts, target: found }, folder, { input, index, joined });
  } finally {
    index.close();
    lock.release();
  }
}

interface Work {
  readonly input: Input;
  readonly index: WorkIndex;
  readonly joined: JoinedRecords | undefined;
}

async function importIn(parts: ImportUsersParts, folder: RunFolder, { input, index, joined }: Work): Promise<Summary> {
  const { target, source, options, stopped, out } = parts;
  // The undo may have been killed before it did.
  if (folder.state.state === "undone") setAside(folder.files);
  if (folder.state.state === "complete" && !(await reopen(parts, folder))) {
    return toSummary(folder, await readRunProgress(folder.files), { isComplete: true });
  }
  const progress = await readRunProgress(folder.files);
  const merges = await findMerges({ input, index, source, joined, options, target, stopped });
  const shared = { input, index, source, joined, merges, options, rules: SERVICE_RULES };
  const report = openLineFile(folder.files.check, { isNew: true });
  let checked = 0;
  const checkView = showProgress(out, () => ({ text: `checked ${format(checked)} records` }));
  const checkedSince = performance.now();
  const findings = await checkRecords({
    ...{ ...shared, isChecked: false, target, stopped, concurrency: parts.concurrency },
    ...{ report, finished: progress.finished },
    onProgress: (count) => {
      checked = count;
    },
  }).finally(() => {
    checkView.end();
    report.close();
  });
  const checkSeconds = (performance.now() - checkedSince) / 1_000;
  if (stopped.aborted) return toSummary(folder, progress, { isComplete: false, findings });
  try {
    const columns = (await readColumns(input, source, options.map)) ?? [];
    if (columns.length > 0) writeLines(out, [...describeColumns(columns), ""]);
    await showPreview(parts, folder, { findings, columns, checkSeconds, joined });
    if (!parts.isDryRun) {
      const changes = findings.toUpdate === 0 ? "" : `, and change ${format(findings.toUpdate)}`;
      await parts.confirm(`Import ${format(findings.ready)} users into ${describeTarget(target)}${changes}?`);
    }
  } catch (error) {
    if (!stopped.aborted) throw error;
    return toSummary(folder, progress, { isComplete: false, findings });
  }
  if (parts.isDryRun) {
    const { merged, refused, skipped } = findings;
    const counts = { ...progress.counts, merged, refused, skipped };
    return toSummary(folder, { ...progress, counts }, { isComplete: true, findings });
  }

  const startedAt = folder.state.startedAt ?? (await readTime(target));
  parts.onStart();
  folder.save({ state: "started", startedAt });
  const describe = createImportProgress(findings.records, progress.finished.size);
  const view = showProgress(out, () => describe(progress.counts));
  const since = performance.now();
  const isComplete = await runImport({
    ...{ ...shared, isChecked: true, target, files: folder.files, progress },
    ...{ key: folder.state.key, startedAt: new Date(startedAt), concurrency: parts.concurrency, stopped },
  }).finally(() => {
    view.end();
    folder.save({ ranMs: folder.state.ranMs + Math.round(performance.now() - since) });
  });
  await writeIds(folder.files);
  const refused = isComplete ? await writeRefused(folder.path, input, source, progress.finished) : [];
  const summary = toSummary(folder, progress, { isComplete, findings, refused });
  writeSummary(folder.files, summary);
  if (isComplete) folder.save({ state: "complete" });
  return summary;
}

/** Opens a complete run again if users were removed since, and are to be imported again. Otherwise says what there is to know. */
async function reopen({ target, concurrency, stopped, out, again, isDryRun }: ImportUsersParts, folder: RunFolder) {
  const removed = await findRemovedSince(folder.files, target.api, concurrency, stopped);
  if (removed.size === 0) {
    writeLines(out, ["This run is complete: nothing was changed."]);
    return false;
  }
  const users =
    removed.size === 1 ? "1 user that it has imported was" : `${format(removed.size)} users that it has imported were`;
  if (!again || isDryRun) {
    writeLines(out, [
      `This run is complete, and ${users} removed since. Nothing was changed; --again imports them again.`,
    ]);
    return false;
  }
  writeLines(out, [`This run is complete, and ${users} removed since. It imports them again.`]);
  // A process that is killed between the two completes the run without them, and the next one finds them again.
  folder.save({ state: "started", startedAt: await readTime(target) });
  await forgetOutcomes(folder.files, removed);
  return true;
}

interface Checked {
  readonly findings: Findings;
  readonly columns: readonly Column[];
  readonly checkSeconds: number;
  readonly joined: JoinedRecords | undefined;
}

async function showPreview(
  { target, out, stopped, isDryRun }: ImportUsersParts,
  folder: RunFolder,
  { findings, columns, checkSeconds, joined }: Checked,
): Promise<void> {
  const lines = describeFindings(findings, columns);
  if (joined !== undefined) {
    lines.push(
      "",
      `${format(joined.count)} other records, such as those with passwords, belong to ${format(findings.matched)} of the users to import.`,
    );
  }
  if (findings.ready > 0) {
    const seconds = await estimateSeconds(target, findings.ready, stopped);
    lines.push("", describeTime(checkSeconds, seconds, isDryRun));
  }
  if (findings.refused + findings.skipped > 0)
    lines.push(`Each refused and skipped record is in ${folder.files.check}`);
  writeLines(out, [...lines, ""]);
}

/** After a dry run, the import checks everything again. */
function describeTime(checkSeconds: number, importSeconds: number, isDryRun: boolean): string {
  const check = `The check took ${formatSeconds(checkSeconds)}`;
  return isDryRun
    ? `${check}, and an import, which checks again, takes about ${formatSeconds(checkSeconds + importSeconds)}.`
    : `${check}, and the import takes about ${formatSeconds(importSeconds)}.`;
}

export function describeTarget({ place, org }: Target): string {
  return `${place === "database" ? "the configured database" : place}, organization "${org.name}" (${org.id})`;
}

/** @throws ConfigError if another process has the run. */
export function lockRun({ path }: RunFolder): DataLock {
  const lock = lockDataDir(path);
  if (lock === undefined) throw new ConfigError(`another process is running ${path}`);
  return lock;
}

/** The time by the clock of the target. */
async function readTime({ api, org }: Target): Promise<string> {
  const { details } = await api.management.listUsers({ query: { limit: 1 } }, inOrg(org.id));
  if (details?.viewTimestamp === undefined)
    throw new ConfigError("the target did not say when it read the list of users");
  return timestampDate(details.viewTimestamp).toISOString();
}
