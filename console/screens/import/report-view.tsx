import { useState } from "preact/hooks";
import { OUTCOMES } from "../../../src/moving/report/outcome.ts";
import { Dialog, DialogButtons } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { Counts, formatNumber } from "../../parts/values.tsx";
import { texts as common } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { useLoad } from "../../state/use-load.ts";
import { wordsFor } from "../../texts/words-for.ts";
import type { CheckedImport } from "./engine.ts";
import { problemWords } from "./message-words.ts";
import { CountTable, OutcomeTable, UpdateTable } from "./tables.tsx";
import { importTexts } from "./texts/import-texts.ts";
import type { Undone } from "./undo.ts";
import type { PhaseProps, StepProps } from "./use-setup.ts";
import { fieldWords } from "./words.ts";

interface ReportViewProps extends StepProps {
  readonly checked: CheckedImport;
  readonly isComplete?: boolean;
}

/** The last step: what became of the records, as far as the import is. */
export function ReportView({ run, setup, checked, isComplete = false, mayRemove }: ReportViewProps) {
  const own = importTexts.value;
  const { report } = checked;
  const [isUndoing, setUndoing] = useState(false);
  const saveRefused = async () => {
    for (const file of await checked.refusedFiles()) saveFile(file);
  };
  /** Imports the refused records again, after a change. */
  const correctRefused = async () => {
    const table = await checked.refusedTable();
    if (table !== undefined) return run.correct(checked, table);
    setup.setFiles(await checked.refusedFiles());
    run.reset({ earlier: checked });
  };
  const importAnother = () => {
    setup.setFiles([]);
    run.reset();
  };
  return (
    <>
      {isComplete && (
        <div class="notice good" role="status">
          <p>{own.complete}</p>
        </div>
      )}
      <Counts names={OUTCOMES} labels={own.outcomes} counts={report.counts} />
      <p class="hint">
        {own.runName}
        {common.value.colon} <code>{checked.run}</code>
      </p>
      <div class="buttons">
        <Button label={own.downloadReport} onClick={() => saveFile(report.toFile(`${checked.run}.ndjson`))} />
        {/* What other files say about a user, such as the password, is not in the refused records. */}
        {isComplete && report.counts.refused > 0 && checked.joined === 0 && (
          <Button label={own.correct.button} look="main" onClick={correctRefused} />
        )}
        {report.counts.refused > 0 && <Button label={own.downloadRefused} onClick={saveRefused} />}
        {(report.counts.imported > 0 ? mayRemove : report.counts.updated > 0) && (
          <Button label={own.undo.button} look="secondary danger" onClick={() => setUndoing(true)} />
        )}
        {isComplete && <Button label={own.another} onClick={importAnother} />}
      </div>
      {report.counts.refused > 0 && <p class="hint">{own.refusedHint}</p>}
      <CountTable
        title={own.warnings}
        rows={Object.entries(report.warnings).map(([text, count]) => ({ text, count, examples: [] }))}
        wordsOf={(reason) => wordsFor(common.value.users.warningReasons, reason)}
      />
      <OutcomeTable
        title={own.refusals}
        outcomes={report.outcomes.filter((each) => each.outcome === "refused")}
        textsOf={({ problems }) => problems.map((problem) => problemWords(problem, own))}
      />
      <UpdateTable title={own.outcomes.updated} outcomes={report.outcomes} />
      <OutcomeTable
        title={own.differences}
        outcomes={report.outcomes.filter((each) => each.outcome === "differs")}
        textsOf={({ fields }) => fields.map((field) => fieldWords(field, own))}
      />
      {isUndoing && (
        <UndoDialog checked={checked} onClose={() => setUndoing(false)} onUndone={(undone) => run.reset({ undone })} />
      )}
    </>
  );
}

/** The third step: how far the import is, with a pause. */
export function RunView({ run: { start, stop }, phase }: PhaseProps<"running" | "paused">) {
  const own = importTexts.value;
  if (phase.kind === "paused") {
    return (
      <div class={phase.failure === undefined ? "notice good" : "notice bad"} role="alert">
        <p>{phase.failure === undefined ? own.paused : `${own.failed}${common.value.colon} ${phase.failure}`}</p>
        {phase.failure !== undefined && <p>{own.again}</p>}
        <Button label={own.continue} look="main" onClick={() => start(phase.checked)} />
      </div>
    );
  }
  const { progress, checked, isPausing } = phase;
  const { total } = checked;
  const seconds = progress.perSecond > 0 ? Math.ceil((total - progress.done) / progress.perSecond) : undefined;
  return (
    <>
      <p>
        <strong>{own.progress(formatNumber(progress.done), formatNumber(total))}</strong>{" "}
        <span class="quiet">
          {own.rate(formatNumber(Math.round(progress.perSecond)), formatNumber(progress.refused))}
          {seconds !== undefined && `, ${own.left(Math.floor(seconds / 60), seconds % 60)}`}
        </span>
      </p>
      <progress value={progress.done} max={total} aria-label={own.steps.run} />
      <div class="buttons">
        <Button label={own.pause} isDisabled={isPausing} onClick={stop} />
        {isPausing && <span role="status">{own.pausing}</span>}
      </div>
    </>
  );
}

interface UndoDialogProps {
  readonly checked: CheckedImport;
  readonly onClose: () => void;
  readonly onUndone: (undone: Undone) => void;
}

/** Shows what an import has made and changed, and how many users have signed in since, asks, and undoes it. */
function UndoDialog({ checked, onClose, onUndone }: UndoDialogProps) {
  const { undo: own, progress } = importTexts.value;
  const [keeps, setKeeps] = useState(false);
  const [done, setDone] = useState(0);
  const found = useLoad(`undo ${checked.run}`, async () => {
    const undo = checked.undo();
    return { undo, counts: await undo.count() };
  });
  const { value } = found;
  const action = useAction(async () => {
    if (value === undefined) return;
    onUndone(await value.undo.undo(keeps, setDone));
  });
  const counts = value?.counts;
  const toRemove = counts === undefined ? 0 : counts.existing - (keeps ? counts.signedIn : 0);
  const toRestore = counts?.updated ?? 0;
  const close = () => {
    if (!action.isRunning) onClose();
  };
  return (
    <Dialog title={own.title} onClose={close}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {counts === undefined ? (
        <p role="status">{own.counting}</p>
      ) : (
        counts.imported > 0 && (
          <p>{own.text(formatNumber(counts.existing), formatNumber(counts.imported), formatNumber(counts.signedIn))}</p>
        )
      )}
      {toRestore > 0 && <p>{own.restores(formatNumber(toRestore))}</p>}
      {counts !== undefined && <p>{own.others}</p>}
      {counts !== undefined && counts.signedIn > 0 && (
        <Check label={own.keep} value={keeps} onInput={setKeeps} isReadOnly={action.isRunning} />
      )}
      {action.isRunning && <p role="status">{progress(formatNumber(done), formatNumber(toRemove + toRestore))}</p>}
      <ProblemNote problem={action.problem} />
      <DialogButtons onClose={close} isLocked={action.isRunning}>
        <Button
          label={toRestore === 0 || toRemove > 0 ? own.confirm(toRemove, formatNumber(toRemove)) : own.button}
          look="danger"
          isDisabled={counts === undefined || toRemove + toRestore === 0 || action.isRunning}
          onClick={() => void action.run()}
        />
      </DialogButtons>
    </Dialog>
  );
}

/** Lets the browser save a file that was made in the page. */
function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(url);
}
