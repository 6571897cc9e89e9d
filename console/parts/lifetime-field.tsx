import { useId } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import { texts } from "../state/language.ts";
import { describedBy, FieldNotes } from "./field-notes.tsx";
import { LIFETIME_UNITS, type Lifetime, type LifetimeUnit } from "./lifetime.ts";

interface LifetimeFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Lifetime;
  readonly onInput: (value: Lifetime) => void;
  readonly problem?: Problem | undefined;
  readonly path: string;
  readonly isReadOnly?: boolean;
}

/** A labeled field for a duration: a number and its unit. */
export function LifetimeField({ label, hint, value, onInput, problem, path, isReadOnly }: LifetimeFieldProps) {
  const { unit, units } = texts.value.lifetimes;
  const id = useId();
  const error = problem?.fields.get(path);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="lifetime">
        <input
          id={id}
          type="number"
          min={0}
          max={999_999_999}
          value={value.amount}
          readOnly={isReadOnly}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, hint, error)}
          onInput={(event) => onInput({ ...value, amount: event.currentTarget.value })}
        />
        <select
          aria-label={`${label}: ${unit}`}
          value={value.unit}
          disabled={isReadOnly}
          onChange={(event) => onInput({ ...value, unit: event.currentTarget.value as LifetimeUnit })}
        >
          {LIFETIME_UNITS.map((each) => (
            <option key={each} value={each}>
              {units[each]}
            </option>
          ))}
        </select>
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}
