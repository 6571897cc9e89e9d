import { useId } from "preact/hooks";
import type { Problem } from "../api/problem.ts";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "email" | "password" | "search";
  readonly hint?: string;
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
  const error = path === undefined ? undefined : problem?.fields.get(path);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
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
        aria-describedby={described || undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** A labeled list of choices. */
export function Select<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
