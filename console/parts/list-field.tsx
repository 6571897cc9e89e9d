import { useId } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import { texts } from "../state/language.ts";

/** What is wrong with an item: the API rejects it, or it does something else than it seems to. */
export interface ItemProblem {
  readonly text: string;
  readonly isRejected: boolean;
}

interface ListFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Describes what is wrong with an item while it is typed. */
  readonly describe?: (item: string) => ItemProblem | undefined;
  readonly problem?: Problem | undefined;
  /** The path of the list in the request. */
  readonly path: string;
  readonly isReadOnly?: boolean;
  readonly placeholder?: string;
}

/** A list of texts, each in a field of its own with what is wrong with it. */
export function ListField(props: ListFieldProps) {
  const { label, hint, values, onChange, describe, problem, path, isReadOnly = false, placeholder } = props;
  const { actions } = texts.value;
  const id = useId();
  const shown = values.length === 0 && !isReadOnly ? [""] : values;
  const replace = (index: number, ...items: string[]) => onChange(shown.toSpliced(index, 1, ...items));
  const ofAll = problem?.fields.get(path);
  return (
    <fieldset class="field list" aria-describedby={hint && `${id}-hint`}>
      <legend>{label}</legend>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {shown.map((value, index) => {
        const own = value === "" ? undefined : describe?.(value);
        const rejected = problem?.fields.get(`${path}[${index}]`);
        const error = own?.isRejected ? own.text : (rejected ?? own?.text);
        return (
          <div class="item" key={index}>
            <input
              type="text"
              value={value}
              readOnly={isReadOnly}
              placeholder={placeholder}
              spellcheck={false}
              autocomplete="off"
              aria-label={`${label} ${index + 1}`}
              aria-invalid={own?.isRejected || rejected !== undefined}
              aria-describedby={error && `${id}-${index}`}
              onInput={(event) => replace(index, event.currentTarget.value)}
            />
            {!isReadOnly && values.length > 0 && (
              <button
                type="button"
                class="link"
                aria-label={`${actions.remove} ${label} ${index + 1}`}
                onClick={() => replace(index)}
              >
                {actions.remove}
              </button>
            )}
            {error && (
              <p class={own && !own.isRejected ? "warning" : "error"} id={`${id}-${index}`}>
                {error}
              </p>
            )}
          </div>
        );
      })}
      {ofAll && <p class="error">{ofAll}</p>}
      {!isReadOnly && (
        <button
          type="button"
          class="link"
          aria-label={`${actions.add} ${label}`}
          onClick={() => onChange([...shown, ""])}
        >
          {actions.add}
        </button>
      )}
    </fieldset>
  );
}

/** The items without those that are empty. */
export function itemsOf(values: readonly string[]): string[] {
  return values.map((value) => value.trim()).filter((value) => value !== "");
}
