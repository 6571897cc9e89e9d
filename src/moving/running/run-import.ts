import { type PrepareParts, prepareRecord } from "../converting/prepare-record.ts";
import type { InputFile } from "../reading/read-records.ts";
import { readUsers } from "../reading/read-users.ts";
import { type LineFile, openLineFile } from "../report/append-lines.ts";
import type { Counts, Outcome } from "../report/outcome.ts";
import { readOutcomes } from "../report/read-outcomes.ts";
import type { RunProgress } from "../report/read-run-progress.ts";
import type { RunFiles } from "../report/run-folder.ts";
import type { Target } from "../target.ts";
import { createPatience, Stopped } from "./call-patiently.ts";
import { importRecord } from "./import-record.ts";
import { createPace } from "./pace.ts";
import { createSlots } from "./slots.ts";

export interface RunParts extends PrepareParts {
  readonly inputs: readonly InputFile[];
  readonly target: Target;
  readonly files: RunFiles;
  /** Of earlier processes; this one continues it. */
  readonly progress: RunProgress;
  readonly key: string;
  readonly startedAt: Date;
  /** The most calls at once. */
  readonly concurrency: number;
  /** Ends the run early. */
  readonly stopped: AbortSignal;
  readonly onProgress: (counts: Counts) => void;
}

/** Records between two notes of what was sent. */
const SENT_STEP = 500;
/** How long a response may be missing in the report if the process is killed. */
const FLUSH_MS = 250;

/**
 * Imports all records that have no outcome, in order, several at once. Each record gets one line in the report.
 *
 * @returns Whether all records have an outcome; false if the run was stopped.
 * @throws ConfigError if the target accepts no calls. What was done until then is in the report.
 */
export async function runImport(parts: RunParts): Promise<{ readonly isComplete: boolean; readonly repeated: number }> {
  const { files, progress } = parts;
  const report = openLineFile(files.report);
  const sent = openLineFile(files.sent);
  const flushing = setInterval(() => report.flush(), FLUSH_MS);
  try {
    await addChecked(files, report, progress);
    return await sendAll(parts, report, sent);
  } finally {
    clearInterval(flushing);
    report.close();
    sent.close();
  }
}

/** Adds the outcomes of the check. */
async function addChecked(files: RunFiles, report: LineFile, { finished, counts }: RunProgress): Promise<void> {
  for await (const outcome of readOutcomes(files.check)) {
    if (finished.get(outcome.n) === undefined) add(report, { finished, counts }, outcome);
  }
}

function add(report: LineFile, { finished, counts }: Pick<RunProgress, "finished" | "counts">, outcome: Outcome): void {
  report.append(outcome);
  finished.set(outcome.n, outcome.outcome === "refused" ? "refused" : "done");
  counts[outcome.outcome] += 1;
}

async function sendAll(parts: RunParts, report: LineFile, sent: LineFile) {
  const { inputs, source, target, progress, key, startedAt, concurrency, stopped, onProgress } = parts;
  const slots = createSlots(concurrency);
  const failed = new AbortController();
  const anyEnd = AbortSignal.any([stopped, failed.signal]);
  const patience = createPatience(createPace(concurrency), anyEnd);
  const call = { api: target.api, patience, key, startedAt };
  let failure: unknown;
  let noted = 0;
  let n = -1;

  for await (const records of readUsers(inputs, source)) {
    for (const record of records) {
      n += 1;
      if (anyEnd.aborted) break;
      if (progress.finished.get(n) !== undefined) continue;
      const prepared = await prepareRecord(parts, record);
      // The check has refused all others.
      if (prepared.kind !== "ready") throw new Error(`the check did not see ${record.file}:${record.line}`);
      const { sourceId, sourceOrg, request } = prepared;
      const org = await target.findOrg(sourceOrg);
      if (org === undefined) throw new Error(`the check did not see the organization of ${record.file}:${record.line}`);
      if (n >= noted) {
        noted = n + SENT_STEP;
        sent.append({ n: noted });
        sent.flush();
      }
      const toImport = { orgId: org.id, sourceId, request, maybeSent: n < progress.maybeSent };
      const place = { n, file: record.file, line: record.line, sourceId };
      await slots.start(() => send(place, toImport));
    }
    if (anyEnd.aborted) break;
  }
  await slots.idle();
  if (failure !== undefined) throw failure;
  return { isComplete: !stopped.aborted, repeated: patience.repeated };

  async function send(
    place: { readonly n: number; readonly file: string; readonly line: number; readonly sourceId: string },
    record: Parameters<typeof importRecord>[1],
  ): Promise<void> {
    try {
      const result = await importRecord(call, record);
      add(report, progress, { ...place, ...result } as Outcome);
      onProgress(progress.counts);
    } catch (error) {
      if (!(error instanceof Stopped)) failure ??= error;
      failed.abort();
    }
  }
}
