import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { texts } from "../state/language.ts";
import { go } from "../state/location.ts";
import { useAction } from "../state/use-action.ts";
import { Button } from "./button.tsx";
import { ProblemNote } from "./screen.tsx";

/** The words of a change. */
interface Words {
  readonly label: string;
  /** What it does. */
  readonly text?: string | undefined;
}

/** A change that is made after a question. */
interface Action extends Words {
  readonly title?: string;
  readonly isDangerous?: boolean;
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
  readonly change: () => Promise<unknown>;
  /** What the page says once the change is made. */
  readonly done: string;
  /** By default, that of all actions. */
  readonly onDone?: () => void;
}

interface Switch {
  readonly of: string;
  readonly isActive: boolean;
  readonly words: { readonly deactivate: Words; readonly reactivate: Words };
  readonly deactivate: () => Promise<unknown>;
  readonly reactivate: () => Promise<unknown>;
}

/** Deactivates an object, or reactivates one that is inactive. */
export function switchOf({ of, isActive, words, deactivate, reactivate }: Switch): Action {
  const { done } = texts.value;
  return isActive
    ? { ...words.deactivate, isDangerous: true, change: deactivate, done: done.deactivated(of) }
    : { ...words.reactivate, change: reactivate, done: done.reactivated(of) };
}

interface Removal extends Words {
  readonly of: string;
  /** The list that the object was in. */
  readonly path: string;
  readonly change: () => Promise<unknown>;
}

/** Removes an object, and shows the list that it was in. */
export function removalOf({ of, path, ...action }: Removal): Action {
  return { ...action, isFinal: true, done: texts.value.done.removed(of), onDone: () => go(path) };
}

interface ActionsProps {
  /** The name of the object. */
  readonly of: string;
  readonly actions: readonly (Action | false | undefined)[];
  readonly onDone: () => void;
}

/** A button for each change of an object. */
export function Actions({ of, actions, onDone }: ActionsProps) {
  const [chosen, setChosen] = useState<string>();
  const offered = actions.filter((action) => action !== false && action !== undefined);
  const action = offered.find(({ label }) => label === chosen);
  if (offered.length === 0) return null;
  return (
    <div class="buttons">
      {offered.map(({ label, isFinal }) => (
        <Button
          key={label}
          label={label}
          look={isFinal ? "secondary danger" : "secondary"}
          onClick={() => setChosen(label)}
        />
      ))}
      {action && (
        <ConfirmDialog
          title={action.title ?? `${action.label}${texts.value.colon} ${of}`}
          button={action.label}
          isDangerous={action.isDangerous || action.isFinal || false}
          change={action.change}
          done={action.done}
          onDone={() => {
            setChosen(undefined);
            (action.onDone ?? onDone)();
          }}
          onClose={() => setChosen(undefined)}
        >
          {action.text && <p>{action.text}</p>}
        </ConfirmDialog>
      )}
    </div>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly button: string;
  readonly isDangerous?: boolean;
  readonly change: () => Promise<unknown>;
  readonly done: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Asks before a change, and shows why it failed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, button, isDangerous = false, change, done, onDone, onClose, children } = props;
  const action = useAction(change, done);
  const confirm = async () => {
    if (await action.run()) onDone();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ProblemNote problem={action.problem} />
      <DialogButtons onClose={onClose}>
        <Button label={button} look={isDangerous ? "danger" : "main"} isInert={action.isRunning} onClick={confirm} />
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
  readonly children: ComponentChildren;
}

/** The button of a dialog that makes the change, and one that closes it without the change. */
export function DialogButtons({ onClose, isLocked = false, children }: DialogButtonsProps) {
  return (
    <div class="buttons">
      {children}
      <Button label={texts.value.actions.cancel} isDisabled={isLocked} onClick={onClose} />
    </div>
  );
}

interface ActionButtonProps {
  readonly label: string;
  /** For screen readers, if several buttons have the same label. */
  readonly name?: string;
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
  const action = useAction(change, done);
  const run = async () => {
    if (await action.run()) onDone?.();
  };
  return (
    <>
      <Button
        label={label}
        name={name}
        look={isPrimary ? "main" : isDangerous ? "secondary danger" : "secondary"}
        isInert={action.isRunning}
        onClick={run}
      />
      <ProblemNote problem={action.problem} />
    </>
  );
}
