import { useId } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import { describedBy, FieldNotes } from "./field-notes.tsx";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "email" | "password" | "search" | "tel" | "date" | "datetime-local";
  readonly hint?: string | undefined;
  /** What is wrong with the value, known before it is sent. */
  readonly error?: string | undefined;
  /** The failed call, and the path of this field in its request. */
  readonly problem?: Problem | undefined;
  readonly path?: string;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
  readonly autocomplete?: string;
  readonly maxLength?: number;
}

/** A labeled text field, with what the API says about it. */
export function Field(props: FieldProps) {
  const { label, value, onInput, type = "text", hint, problem, path, isRequired, isReadOnly, maxLength } = props;
  const id = useId();
  const error = props.error ?? (path === undefined ? undefined : problem?.fields.get(path));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={value}
        required={isRequired}
        readOnly={isReadOnly}
        maxLength={maxLength}
        autocomplete={props.autocomplete ?? "off"}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** A labeled field for a text of several lines. */
export function TextArea({ label, value, onInput, hint, problem, path, isRequired, isReadOnly }: FieldProps) {
  const id = useId();
  const error = path === undefined ? undefined : problem?.fields.get(path);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={6}
        value={value}
        required={isRequired}
        readOnly={isReadOnly}
        spellcheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
  readonly isReadOnly?: boolean;
}

/** A labeled list of choices. */
export function Select<T extends string>({ label, value, options, onChange, isReadOnly }: SelectProps<T>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isReadOnly}
        onChange={(event) => onChange(event.currentTarget.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
