import type { ComponentChildren } from "preact";
import { texts } from "../state/language.ts";
import { useAction } from "../state/use-action.ts";
import { Dialog } from "./dialog.tsx";
import { ProblemNote } from "./problem-note.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly button: string;
  readonly isDangerous?: boolean;
  readonly change: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Asks before a change, and shows why it failed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, button, isDangerous = false, change, onDone, onClose, children } = props;
  const action = useAction(change);
  const confirm = async () => {
    if (await action.run()) onDone();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ProblemNote problem={action.problem} />
      <div class="buttons">
        <button type="button" class={isDangerous ? "danger" : ""} disabled={action.isRunning} onClick={confirm}>
          {button}
        </button>
        <button type="button" class="secondary" onClick={onClose}>
          {texts.value.actions.cancel}
        </button>
      </div>
    </Dialog>
  );
}
