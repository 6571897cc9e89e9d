import { useState } from "preact/hooks";
import type { RemovedUsers } from "../../../src/moving/running/undo-users.ts";
import { Check } from "../../parts/check.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { formatNumber } from "../../parts/time.tsx";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { useLoad } from "../../state/use-load.ts";
import type { CheckedImport } from "./engine.ts";
import { importTexts } from "./texts/import-texts.ts";

export interface UndoDialogProps {
  readonly checked: CheckedImport;
  readonly onClose: () => void;
  readonly onUndone: (removed: RemovedUsers) => void;
}

/** Shows how many users an import has made and how many have signed in since, asks, and removes them. */
export function UndoDialog({ checked, onClose, onUndone }: UndoDialogProps) {
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
    onUndone(await value.undo.remove(keeps, ({ removed }) => setDone(removed)));
  });
  const counts = value?.counts;
  const toRemove = counts === undefined ? 0 : counts.existing - (keeps ? counts.signedIn : 0);
  const close = () => {
    if (!action.isRunning) onClose();
  };
  return (
    <Dialog title={own.title} onClose={close}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {counts === undefined ? (
        <p role="status">{own.counting}</p>
      ) : (
        <p>{own.text(formatNumber(counts.existing), formatNumber(counts.imported), formatNumber(counts.signedIn))}</p>
      )}
      {counts !== undefined && counts.signedIn > 0 && (
        <Check label={own.keep} isOn={keeps} onChange={setKeeps} isReadOnly={action.isRunning} />
      )}
      {action.isRunning && <p role="status">{progress(formatNumber(done), formatNumber(toRemove))}</p>}
      <ProblemNote problem={action.problem} />
      <div class="buttons">
        <button
          type="button"
          class="danger"
          disabled={counts === undefined || toRemove === 0 || action.isRunning}
          onClick={() => void action.run()}
        >
          {own.confirm(toRemove, formatNumber(toRemove))}
        </button>
        <button type="button" class="secondary" disabled={action.isRunning} onClick={close}>
          {texts.value.actions.cancel}
        </button>
      </div>
    </Dialog>
  );
}
