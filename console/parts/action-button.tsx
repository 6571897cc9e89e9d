import { useState } from "preact/hooks";
import { useAction } from "../state/use-action.ts";
import { ProblemNote } from "./problem-note.tsx";

interface ActionButtonProps {
  readonly label: string;
  /** For screen readers, if several buttons have the same label. */
  readonly name?: string;
  /** Shown once the change is made. */
  readonly done?: string;
  readonly isDangerous?: boolean;
  readonly change: () => Promise<unknown>;
  readonly onDone?: () => void;
}

/** A button that makes a change at once, and shows its result beside it. */
export function ActionButton({ label, name, done, isDangerous = false, change, onDone }: ActionButtonProps) {
  const action = useAction(change);
  const [isDone, setDone] = useState(false);
  const run = async () => {
    setDone(false);
    if (!(await action.run())) return;
    setDone(true);
    onDone?.();
  };
  return (
    <>
      <button
        type="button"
        class={isDangerous ? "secondary danger" : "secondary"}
        disabled={action.isRunning}
        aria-label={name}
        onClick={run}
      >
        {label}
      </button>
      {isDone && done && <span role="status">{done}</span>}
      <ProblemNote problem={action.problem} />
    </>
  );
}
