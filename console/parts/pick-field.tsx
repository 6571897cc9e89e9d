import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../state/language.ts";
import type { Bound } from "../state/use-form.ts";
import { useLoad } from "../state/use-load.ts";
import { Button } from "./button.tsx";
import { useCombobox } from "./combobox.ts";
import { type Common, Labeled } from "./field.tsx";
import { useFound } from "./finder.tsx";
import { ProblemNote } from "./screen.tsx";

/** A choice of a field: its value, what it is called, and what tells it from others. */
export interface Choice {
  readonly value: string;
  readonly title: string;
  readonly note?: string | undefined;
}

/** Finds choices by a part of their names; the first ones for an empty text. */
export type Find = (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;

interface Choices {
  readonly find: Find;
  /** Everything else that the choices depend on. */
  readonly id: string;
  /** In the field while nothing is typed; by default, that it searches. */
  readonly placeholder?: string;
  /** In place of the choices if there are none at all. */
  readonly none?: string;
}

interface PickFieldProps extends Choices {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly isReadOnly?: boolean;
  /** Whether several are chosen. */
  readonly isMany?: boolean;
  readonly chosen: readonly Choice[];
  readonly onPick: (choice: Choice) => void;
  readonly onRemove: (value: string) => void;
}

/** Chooses one of many, or several of them. What is chosen is shown by its name, and can be removed. */
export function PickField({ label, hint, error, isReadOnly, isMany = false, chosen, ...props }: PickFieldProps) {
  const { onPick, onRemove, ...choices } = props;
  /** Whether the person has just picked or removed: what comes in its place takes the focus, too. */
  const isReplaced = useRef(false);
  const remove = (value: string) => {
    isReplaced.current = !isMany;
    onRemove(value);
  };
  const pick = (choice: Choice) => {
    isReplaced.current = !isMany;
    onPick(choice);
  };
  const isOpen = isMany || chosen.length === 0;
  useEffect(() => {
    isReplaced.current = false;
  }, [isOpen]);
  const others: Find = async (text, signal) =>
    (await choices.find(text, signal)).filter(({ value }) => chosen.every((each) => each.value !== value));
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(common) => (
        <>
          {chosen.map((choice) => (
            <Chosen
              key={choice.value}
              {...{ ...choice, label, takesFocus: isReplaced.current }}
              onRemove={isReadOnly ? undefined : remove}
            />
          ))}
          {isOpen && isReadOnly && chosen.length === 0 && <p class="quiet">{choices.placeholder}</p>}
          {isOpen && !isReadOnly && (
            <Picker {...{ ...choices, common, label, onPick: pick }} find={others} takesFocus={isReplaced.current} />
          )}
        </>
      )}
    </Labeled>
  );
}

interface ChosenProps extends Choice {
  /** Of the field. */
  readonly label: string;
  /** Whether it is in place of the picker. */
  readonly takesFocus: boolean;
  /** Undefined if it stays. */
  readonly onRemove: ((value: string) => void) | undefined;
}

function Chosen({ value, title, note, label, takesFocus, onRemove }: ChosenProps) {
  const name = `${texts.value.actions.remove}: ${label} ${title}`;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) element.current?.querySelector("button")?.focus();
  }, []);
  return (
    <div class="chosen" ref={element}>
      <span title={value}>
        {title} {note && <span class="small">{note}</span>}
      </span>
      {onRemove && <Button label="✕" name={name} look="link" onClick={() => onRemove(value)} />}
    </div>
  );
}

interface PickerProps extends Choices, Pick<PickFieldProps, "label" | "onPick"> {
  readonly common: Common;
  /** Whether it is in place of what was chosen. */
  readonly takesFocus: boolean;
}

/** Finds a choice: type, arrows, Enter. An arrow or a click opens the list, too. */
function Picker({ common, label, id: key, find, placeholder: given, none, takesFocus, onPick }: PickerProps) {
  const placeholder = given ?? texts.value.keys.search;
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(takesFocus);
  const show = (entered: string, opens: boolean) => {
    setText(entered);
    setOpen(opens);
  };
  const typed = text.trim();
  const { places, isKnown, problem } = useFound(isOpen ? key : undefined, typed, find);
  const choices = isKnown && problem === undefined ? places : undefined;
  const pick = (index: number) => {
    const choice = choices?.[index];
    show("", false);
    if (choice) onPick(choice);
  };
  const count = choices?.length ?? 0;
  const combobox = useCombobox({ id: common.id, count, text: typed, beginsUnmarked: true, onChoose: pick });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isOpen) event.preventDefault();
    if (event.key === "Escape") return show("", false);
    if (event.key === "ArrowDown") setOpen(true);
    // The form is not sent without what the person is looking for.
    if (event.key === "Enter" && typed !== "") event.preventDefault();
    combobox.input.onKeyDown(event);
  };
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, []);
  return (
    <div class="picker">
      <input
        {...{ ...common, ...combobox.input, placeholder, onKeyDown, ref: field, value: text, maxLength: 200 }}
        onInput={(event) => show(event.currentTarget.value, true)}
        onClick={() => setOpen(true)}
        onBlur={() => show("", false)}
      />
      <Found {...{ label, choices, combobox, pick, none: typed === "" ? none : undefined }} />
      <ProblemNote problem={problem} />
    </div>
  );
}

interface FoundProps {
  readonly label: string;
  readonly choices: readonly Choice[] | undefined;
  readonly combobox: ReturnType<typeof useCombobox>;
  readonly pick: (index: number) => void;
  readonly none: string | undefined;
}

function Found({ label, choices, combobox: { listId, option, input }, pick, none }: FoundProps) {
  if (choices === undefined) return null;
  if (choices.length === 0) {
    return (
      <p class="hint" role="status">
        {none ?? texts.value.keys.nothing}
      </p>
    );
  }
  return (
    <div class="places picks" role="listbox" id={listId} aria-label={label}>
      {choices.map(({ value, title, note }, index) => (
        // The focus stays in the field, which has the keys.
        <div
          key={value}
          role="option"
          tabIndex={-1}
          {...option(index)}
          class="place"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(index)}
          onKeyDown={input.onKeyDown}
        >
          {title}
          {note && <span class="small">{note}</span>}
        </div>
      ))}
    </div>
  );
}

interface IdsFieldProps extends Bound<string[]>, Omit<PickFieldProps, "chosen" | "onPick" | "onRemove"> {
  /** The name of what is chosen, by its id. */
  readonly nameOf: (id: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** The same for a form, whose values are the ids of objects. An id is shown until the name is known. */
export function IdsField({ value: ids, onInput, errorAt, nameOf, ...field }: IdsFieldProps) {
  const [picked, setPicked] = useState<readonly Choice[]>([]);
  const load = async (value: string, signal: AbortSignal) =>
    ({ value, title: (await nameOf(value, signal).catch(() => undefined)) ?? value }) as const;
  const unknown = ids.filter((id) => picked.every(({ value }) => value !== id));
  const named = useLoad(unknown.length === 0 ? undefined : `${field.id} of ${unknown}`, (signal) =>
    Promise.all(unknown.map((id) => load(id, signal))),
  );
  const known = [...picked, ...(named.value ?? [])];
  return (
    <PickField
      {...field}
      error={field.error ?? ids.map((_, index) => errorAt?.(index)).find(Boolean)}
      chosen={ids.map((id) => known.find(({ value }) => value === id) ?? { value: id, title: id })}
      onPick={(choice) => {
        setPicked([...picked, choice]);
        onInput([...ids, choice.value]);
      }}
      onRemove={(removed) => onInput(ids.filter((id) => id !== removed))}
    />
  );
}

type IdFieldProps = Omit<IdsFieldProps, keyof Bound<string>> & Bound<string>;

/** The same for one object at most. */
export function IdField({ value, onInput, ...field }: IdFieldProps) {
  return <IdsField {...field} value={value === "" ? [] : [value]} onInput={([id = ""]) => onInput(id)} />;
}
