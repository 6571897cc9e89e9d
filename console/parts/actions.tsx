import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { texts } from "../state/language.ts";
import { go } from "../state/location.ts";
import { useAction } from "../state/use-action.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { ProblemNote } from "./screen.tsx";

interface Words {
  readonly label: string;
  /** What it does. */
  readonly text?: string | undefined;
}

interface ActionWords extends Words, Pick<ButtonProps, "name"> {
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
}

/** A change that is made after a question. */
interface Action extends ActionWords {
  readonly title?: string;
  readonly isDangerous?: boolean;
  readonly change: () => Promise<unknown>;
  /** What the page says once the change is made. */
  readonly done: string;
  /** By default, that of all actions. */
  readonly onDone?: () => void;
}

/** A change that has a dialog of its own, such as one with a form. */
interface DialogAction extends ActionWords {
  readonly dialog: (onClose: () => void) => ComponentChildren;
}

type Change = Words & Pick<Action, "change">;

/** Deactivates an object, or reactivates one that is inactive. */
export function switchOf(of: string, isActive: boolean, changes: { deactivate: Change; reactivate: Change }): Action {
  const { done } = texts.value;
  return isActive
    ? { ...changes.deactivate, isDangerous: true, done: done.deactivated(of) }
    : { ...changes.reactivate, done: done.reactivated(of) };
}

/** Removes an object, and shows the list that it was in. */
export function removalOf({ of, path, ...change }: Change & { of: string; path: string }): Action {
  return { ...change, isFinal: true, done: texts.value.done.removed(of), onDone: () => go(path) };
}

interface ActionsProps {
  /** The name of the object. */
  readonly of: string;
  readonly actions: readonly (Action | DialogAction | false | undefined)[];
  readonly isInRow?: boolean;
  readonly onDone?: (() => void) | undefined;
}

/** A button for each change of an object. */
export function Actions({ of, actions, isInRow = false, onDone }: ActionsProps) {
  const [chosen, setChosen] = useState<string>();
  const close = () => setChosen(undefined);
  const offered = actions.filter((action) => action !== false && action !== undefined);
  const action = offered.find(({ label }) => label === chosen);
  if (offered.length === 0) return null;
  return (
    <div class={isInRow ? "actions" : "buttons"}>
      {offered.map(({ label, name, isFinal }) => (
        <Button
          key={label}
          {...{ label, name, onClick: () => setChosen(label) }}
          look={isFinal ? "secondary danger" : "secondary"}
        />
      ))}
      {action && "dialog" in action && action.dialog(close)}
      {action && "change" in action && <ConfirmDialog {...{ of, action, onDone }} onClose={close} />}
    </div>
  );
}

interface ConfirmDialogProps extends Pick<ActionsProps, "of" | "onDone"> {
  readonly action: Action;
  readonly onClose: () => void;
}

/** Asks before a change, and shows why it failed. */
function ConfirmDialog({ of, action, onDone = () => {}, onClose }: ConfirmDialogProps) {
  const { label, text, title = `${label}${texts.value.colon} ${of}` } = action;
  const { run, isRunning, problem } = useAction(action.change, action.done, () => {
    onClose();
    (action.onDone ?? onDone)();
  });
  const look = action.isDangerous || action.isFinal ? "danger" : "main";
  return (
    <Dialog title={title} onClose={onClose}>
      {text && <p>{text}</p>}
      <ProblemNote problem={problem} />
      <DialogButtons onClose={onClose}>
        <Button label={label} look={look} isInert={isRunning} onClick={() => run()} />
      </DialogButtons>
    </Dialog>
  );
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, which the browser gives the focus and the key Escape. It is open as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface DialogButtonsProps {
  readonly onClose: () => void;
  readonly isLocked?: boolean;
  /** The button that makes the change; without one, there is nothing to cancel. */
  readonly children?: ComponentChildren;
}

/** The buttons of a dialog, of which the last one closes it without a change. */
export function DialogButtons({ onClose, isLocked = false, children }: DialogButtonsProps) {
  const { cancel, close } = texts.value.actions;
  return (
    <div class="buttons">
      {children}
      <Button label={children ? cancel : close} isDisabled={isLocked} onClick={onClose} />
    </div>
  );
}

interface ActionButtonProps extends Pick<ButtonProps, "label" | "name"> {
  /** What the page says once the change is made. */
  readonly done: string | (() => string | undefined);
  readonly isDangerous?: boolean;
  /** Whether it is the button that the page leads to. */
  readonly isPrimary?: boolean;
  readonly change: () => Promise<unknown>;
  readonly onDone?: () => void;
}

/** A button that makes a change at once. If it fails, the reason is beside it. */
export function ActionButton(props: ActionButtonProps) {
  const { label, name, done, isDangerous = false, isPrimary = false, change, onDone } = props;
  const action = useAction(change, done, onDone);
  return (
    <>
      <Button
        label={label}
        name={name}
        look={isPrimary ? "main" : isDangerous ? "secondary danger" : "secondary"}
        isInert={action.isRunning}
        onClick={() => action.run()}
      />
      <ProblemNote problem={action.problem} />
    </>
  );
}
