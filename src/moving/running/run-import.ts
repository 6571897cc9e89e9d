import { type LineFile, openLineFile } from "../report/append-lines.ts";
import type { Outcome } from "../report/outcome.ts";
import { readOutcomes } from "../report/read-outcomes.ts";
import { addOutcome, type RunProgress } from "../report/read-run-progress.ts";
import type { RunFiles } from "../report/run-folder.ts";
import { openUpdateJournal } from "../report/update-journal.ts";
import { type SendParts, sendRecords } from "./send-records.ts";

interface RunParts extends Omit<SendParts, "finished" | "maybeSent" | "update" | "onSend" | "onOutcome"> {
  readonly files: RunFiles;
  /** Of earlier processes; this one continues it, and adds to it. */
  readonly progress: RunProgress;
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
export async function runImport(parts: RunParts): Promise<boolean> {
  const { files, progress } = parts;
  const report = openLineFile(files.report);
  const sent = openLineFile(files.sent);
  const { options, target } = parts;
  const journal = options.update ? await openUpdateJournal(files.updates, progress.finished) : undefined;
  const flushing = setInterval(() => report.tryFlush(), FLUSH_MS);
  try {
    await addChecked(files, report, progress);
    let noted = 0;
    return await sendRecords({
      ...parts,
      finished: progress.finished,
      maybeSent: progress.maybeSent,
      update: journal && {
        journal,
        index: parts.index,
        callerId: target.callerId ?? "",
        sendsMessages: options.messages === "send",
      },
      onSend(n) {
        if (n < noted) return;
        noted = n + SENT_STEP;
        sent.append({ n: noted });
        sent.flush();
      },
      onOutcome: (outcome) => add(report, progress, outcome),
    });
  } finally {
    clearInterval(flushing);
    report.close();
    sent.close();
    journal?.close();
  }
}

async function addChecked(files: RunFiles, report: LineFile, progress: RunProgress): Promise<void> {
  for await (const outcome of readOutcomes(files.check)) {
    // A merged record is reported with its user, and an update once it is made.
    if (!["merged", "updated"].includes(outcome.outcome) && progress.finished.get(outcome.n) === undefined)
      add(report, progress, outcome);
  }
}

function add(report: LineFile, progress: RunProgress, outcome: Outcome): void {
  report.append(outcome);
  addOutcome(progress, outcome);
}
