import { useState } from "preact/hooks";
import { type Problem, requireUnchanged } from "../api/problem.ts";
import { texts } from "./language.ts";
import { describeField, isAt } from "./problem-texts.ts";
import { nameIn, namesOf, pick } from "./tables.ts";
import { useAction } from "./use-action.ts";

/** What a field of a form gets. */
export interface Bound<T> {
  readonly value: T;
  readonly onInput: (value: T) => void;
  /** What the API says about the value. */
  readonly error?: string | undefined;
  /** The user who has the value, if that is the error. */
  readonly takenBy?: string | undefined;
  /** What the API says about an item of a list. */
  readonly errorAt?: (index: number) => string | undefined;
  readonly isReadOnly?: boolean;
}

/** What a form does, whatever its values are. */
export interface FormState {
  /** The names of the values that differ from the stored ones. */
  readonly changed: readonly string[];
  readonly isReadOnly: boolean;
  readonly isRunning: boolean;
  /** Why the last attempt to save it failed. */
  readonly failure: Problem | undefined;
  /** The same, unless the fields say it all. Known once they are rendered. */
  problem(): Problem | undefined;
  /** What is being saved stays. */
  reset(): void;
  /** @param beforeLeaving Called once it is saved, before `onSaved`. */
  submit(event: Event, beforeLeaving?: () => void): Promise<void>;
}

/** The values of a form, and how they are saved. */
export interface Form<Values> extends FormState {
  readonly values: Values;
  readonly changed: readonly (keyof Values & string)[];
  set(changes: Partial<Values>): void;
  /** @param path Of the value in the request, if it is not its name. */
  field<Name extends keyof Values & string>(name: Name, path?: string): Bound<Values[Name]>;
}

export interface FormOptions<Values, Saved> {
  /** Values of JSON. Others take the place of what is in the form, except for what was entered while it was saved. */
  readonly stored: Values;
  readonly isReadOnly?: boolean;
  /** Gets the values, with lists without empty items. Throws a ConnectError if it fails. */
  readonly save: (values: Values, changed: readonly (keyof Values & string)[]) => Promise<Saved>;
  /** Loads what is stored by now, so that nothing is saved over what somebody else has changed. */
  readonly latest?: () => Promise<Values | undefined>;
  /** Gets what `save` has returned. The form is running until the page has loaded it. */
  readonly onSaved?: (saved: Saved) => void | Promise<void>;
  /** What the page says once it is saved, if not that; false for nothing. */
  readonly done?: string | false | ((values: Values) => string | undefined);
  /** Whether the form is emptied after it was saved, for the next object. */
  readonly isEmptied?: boolean;
}

interface Entered<Values> {
  /** The stored values that it replaces. */
  readonly key: string;
  readonly values: Values;
  /** What was saved. Values that differ from it were entered since. */
  readonly sent?: Values | undefined;
}

export function useForm<Values extends object, Saved>(options: FormOptions<Values, Saved>): Form<Values> {
  const { stored, isReadOnly = false, latest, save, onSaved, isEmptied = false } = options;
  const { done = texts.value.actions.saved } = options;
  const key = JSON.stringify(stored);
  const [entered, setEntered] = useState<Entered<Values>>({ key, values: stored });
  const valuesOf = ({ key: replaced, values, sent = values }: Entered<Values>): Values =>
    replaced === key ? values : { ...stored, ...pick(values, differing(values, sent)) };
  const values = valuesOf(entered);
  const changed = differing(values, stored);
  const set = (changes: Partial<Values>) =>
    setEntered((before) => ({
      ...(before.key === key && before),
      ...{ key, values: { ...valuesOf(before), ...changes } },
    }));
  const change = async (cleaned: Values, beforeLeaving: (() => void) | undefined) => {
    const now = await latest?.();
    requireUnchanged(now && pick(now, namesOf(stored)), stored);
    const saved = await save(cleaned, changed);
    setEntered((before) => ({ ...before, sent: cleaned }));
    beforeLeaving?.();
    if (isEmptied) reset();
    await onSaved?.(saved);
  };
  const action = useAction(change, (cleaned) => (typeof done === "function" ? done(cleaned) : done || undefined));
  const reset = () => {
    action.forgetProblem();
    setEntered({ key, values: stored });
  };
  /** Those of the fields that are shown. */
  const paths = new Set<string>();
  const errorAt = (path: string) => describeField(action.problem, path);
  return {
    ...{ values, changed, isReadOnly, set, isRunning: action.isRunning, failure: action.problem },
    reset() {
      if (!action.isRunning) reset();
    },
    problem() {
      const broken = [...(action.problem?.fields.keys() ?? [])];
      const shown = [...paths];
      const isShown = (path: string) => shown.some((each) => isAt(each, path.replace(/\[\d+\]$/, "")));
      const isAtFields = broken.length > 0 && broken.every(isShown);
      return isAtFields ? undefined : action.problem;
    },
    field(name, path = name) {
      paths.add(path);
      return {
        ...{ value: values[name], isReadOnly, error: errorAt(path), errorAt: (index) => errorAt(`${path}[${index}]`) },
        takenBy: errorAt(path) && action.problem?.takenBy,
        onInput: (value) => set({ [name]: value } as unknown as Partial<Values>),
      };
    },
    submit(event, beforeLeaving) {
      event.preventDefault();
      const cleaned = Object.fromEntries(namesOf(stored).map((name) => [name, clean(values[name])])) as Values;
      // Errors are reported by the positions in the request.
      set(cleaned);
      return action.run(cleaned, beforeLeaving);
    },
  };
}

/** For a setting that the form offers, and the API turns off. */
export function oppositeOf({ value, onInput, ...bound }: Bound<boolean>): Bound<boolean> {
  return { ...bound, value: !value, onInput: (isOn) => onInput(!isOn) };
}

/** For a number of the API, by its name. */
export function named<Name extends string>(
  { value, onInput, ...bound }: Bound<number>,
  numbers: Readonly<Record<Name, number>>,
  otherwise: NoInfer<Name>,
): Bound<Name> {
  return { ...bound, value: nameIn(numbers, value) ?? otherwise, onInput: (chosen) => onInput(numbers[chosen]) };
}

function differing<Values extends object>(values: Values, others: Values): (keyof Values & string)[] {
  return namesOf(others).filter((name) => JSON.stringify(values[name]) !== JSON.stringify(others[name]));
}

/** A list of texts without those that are empty. */
function clean<T>(value: T): T {
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) return value;
  return value.map((item) => item.trim()).filter((item) => item !== "") as T;
}
