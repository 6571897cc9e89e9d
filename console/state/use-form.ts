import { useState } from "preact/hooks";

/** The values of a form. */
export interface Form<Values> {
  readonly values: Values;
  /** The names of the values that differ from the stored ones. */
  readonly changed: readonly (keyof Values & string)[];
  set(changes: Partial<Values>): void;
  reset(): void;
}

/** @param stored Values of JSON. */
export function useForm<Values extends object>(stored: Values): Form<Values> {
  const [values, setValues] = useState(stored);
  const names = Object.keys(stored) as (keyof Values & string)[];
  return {
    values,
    changed: names.filter((name) => JSON.stringify(values[name]) !== JSON.stringify(stored[name])),
    set: (changes) => setValues((before) => ({ ...before, ...changes })),
    reset: () => setValues(stored),
  };
}
