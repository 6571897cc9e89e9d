import type { Problem } from "../api/problem.ts";
import { Field } from "./field.tsx";

interface ColorFieldProps {
  readonly label: string;
  /** `#` and six hexadecimal digits, or empty. */
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly problem: Problem | undefined;
  readonly path: string;
  readonly isReadOnly?: boolean;
}

/** A color as a text, and the picker of the browser for it. */
export function ColorField({ label, value, onInput, problem, path, isReadOnly = false }: ColorFieldProps) {
  const isColor = /^#[0-9a-f]{6}$/i.test(value);
  return (
    <div class="color">
      <Field
        label={label}
        value={value}
        onInput={onInput}
        problem={problem}
        path={path}
        isReadOnly={isReadOnly}
        maxLength={7}
      />
      <input
        type="color"
        aria-label={label}
        value={isColor ? value.toLowerCase() : "#3d4fd1"}
        disabled={isReadOnly}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
