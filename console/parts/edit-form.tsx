import type { ComponentChildren, RefObject } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import { silence } from "../state/announce.ts";
import { texts } from "../state/language.ts";
import { guardLeaving } from "../state/location.ts";
import { addUnsaved } from "../state/unsaved.ts";
import type { FormState } from "../state/use-form.ts";
import { Dialog, DialogButtons } from "./actions.tsx";
import { Button } from "./button.tsx";
import { ProblemNote, SectionTitle } from "./screen.tsx";

interface EditFormProps {
  readonly form: FormState;
  readonly button?: string | false | undefined;
  /** Whether it can be saved as it is. */
  readonly isComplete?: boolean;
  /** Leads to the step before. */
  readonly backPath?: string;
  readonly children: ComponentChildren;
}

/**
 * A form that saves what has changed, and asks before unsaved changes are lost. Without a button of its own, the page has one
 * for all such forms.
 */
export function EditForm({ form, button, isComplete = false, backPath, children }: EditFormProps) {
  const { actions } = texts.value;
  const isChanged = form.changed.length > 0;
  const isIdle = !isComplete && !isChanged && !form.isRunning;
  const release = useRef(() => {});
  // Also after a save, which releases it: more may have been entered in the meantime.
  useEffect(() => {
    if (!isChanged) return;
    // It is no longer true of what is in the form.
    silence();
    release.current = guardLeaving(() => texts.peek().actions.leave);
    return release.current;
  }, [isChanged, form.isRunning]);
  const element = useRef<HTMLFormElement>(null);
  useUnsaved(!button && isChanged, form, element);
  return (
    <form
      class="form-card"
      ref={element}
      onSubmit={(event) => (isIdle ? event.preventDefault() : form.submit(event, () => release.current()))}
    >
      {children}
      <FormProblem form={form} />
      {!form.isReadOnly && !button && <button type="submit" hidden />}
      {!form.isReadOnly && button && (
        <div class="buttons">
          <button type="submit" aria-disabled={isIdle || form.isRunning}>
            {button}
          </button>
          {backPath !== undefined && (
            <a class="button secondary" href={backPath}>
              {actions.back}
            </a>
          )}
          {isChanged && backPath === undefined && (
            <Button label={actions.discard} isInert={form.isRunning} onClick={form.reset} />
          )}
        </div>
      )}
    </form>
  );
}

/** Tells the page about a form that is not saved. */
function useUnsaved(isUnsaved: boolean, form: FormState, element: RefObject<HTMLFormElement>): void {
  const title = useContext(SectionTitle);
  const latest = useRef(form);
  latest.current = form;
  const last = useRef<HTMLElement | null>(null);
  const { isRunning } = form;
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      last.current = target as HTMLElement;
    };
    element.current?.addEventListener("focusin", remember);
    return () => element.current?.removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    if (!isUnsaved) return;
    return addUnsaved({
      ...{ title, isRunning },
      save: () => element.current?.requestSubmit(),
      discard: () => latest.current.reset(),
      lastFocused: () => last.current,
    });
  }, [isUnsaved, isRunning, title]);
}

interface FormDialogProps extends EditFormProps {
  readonly title: string;
  readonly isDangerous?: boolean;
  /** Whether something is missing that the browser does not check. */
  readonly isIncomplete?: boolean;
  readonly onClose: () => void;
}

/** A form in a dialog. */
export function FormDialog(props: FormDialogProps) {
  const { title, form, button, isDangerous = false, isIncomplete = false, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => form.submit(event)}>
        {children}
        <FormProblem form={form} />
        <DialogButtons onClose={onClose}>
          <button
            type="submit"
            class={isDangerous ? "danger" : ""}
            disabled={isIncomplete}
            aria-disabled={form.isRunning}
          >
            {button}
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Comes after the fields, which tell the form what they show themselves. The first of these gets the focus. */
function FormProblem({ form }: { form: FormState }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form.failure) place.current?.closest("form")?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form.failure]);
  return (
    <div ref={place}>
      <ProblemNote problem={form.problem()} />
    </div>
  );
}
