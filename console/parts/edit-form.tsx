import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import { texts } from "../state/language.ts";
import { guardLeaving } from "../state/location.ts";
import { useAction } from "../state/use-action.ts";
import { ProblemNote } from "./problem-note.tsx";

interface EditFormProps {
  readonly isChanged: boolean;
  /** Whether the person may save it. */
  readonly isOffered: boolean;
  readonly save: () => Promise<unknown>;
  readonly onSaved: () => void;
  readonly onReset: () => void;
  /** Paths of the fields that the form shows, which show their own errors; of a list, without the position. */
  readonly fields: readonly string[];
  readonly button?: string;
  readonly children: (problem: Problem | undefined) => ComponentChildren;
}

/** A form that saves what has changed, and asks before unsaved changes are lost. */
export function EditForm({ isChanged, isOffered, save, onSaved, onReset, fields, button, children }: EditFormProps) {
  const action = useAction(save);
  const { actions } = texts.value;
  useEffect(() => {
    if (!isChanged) return;
    return guardLeaving(() => texts.peek().actions.leave);
  }, [isChanged]);
  const { problem } = action;
  const isAtFields = problem !== undefined && problem.fields.size > 0 && [...problem.fields.keys()].every(isShown);
  function isShown(path: string): boolean {
    return fields.includes(path.replace(/\[\d+\]$/, ""));
  }
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await action.run()) onSaved();
      }}
    >
      {children(problem)}
      {!isAtFields && <ProblemNote problem={problem} />}
      {isOffered && (
        <div class="buttons">
          <button type="submit" disabled={!isChanged || action.isRunning}>
            {button ?? actions.save}
          </button>
          {isChanged && (
            <button
              type="button"
              class="secondary"
              onClick={() => {
                action.forgetProblem();
                onReset();
              }}
            >
              {actions.discard}
            </button>
          )}
        </div>
      )}
    </form>
  );
}
